// Signs that show where a decision stands: ✅, 🚧, ♻.
import type { AdrStatus } from './adr.js'

/** ":white_check_mark:" is shown as a sign. */
export function withSigns(text: string): string {
  return text.replace(/:([a-z_+]{1,30}):/g, (written, name: string) => signNames[name] ?? written)
}

const signNames: Readonly<Record<string, string>> = {
  white_check_mark: '✅',
  heavy_check_mark: '✔',
  ballot_box_with_check: '☑',
  thumbsup: '👍',
  green_circle: '🟢',
  x: '❌',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  thumbsdown: '👎',
  red_circle: '🔴',
  warning: '⚠',
  wastebasket: '🗑',
  recycle: '♻',
  memo: '📝',
  pencil: '📝',
  construction: '🚧',
  thinking: '🤔',
  bulb: '💡',
  yellow_circle: '🟡',
  hourglass: '⌛',
  speech_balloon: '💬',
  eyes: '👀',
}

// Alone, a sign is all there is to go by; beside a word, the word is right.
export function signOf(text: string): AdrStatus | null {
  for (const [status, signs] of Object.entries(signsOf) as [AdrStatus, RegExp][])
    if (signs.test(text)) return status
  return null
}

const signsOf: Partial<Record<AdrStatus, RegExp>> = {
  accepted: /[✅☑✔👍🟢🎉]/u,
  rejected: /[❌✖✗✘🚫⛔👎🔴🙅]/u,
  deprecated: /[⚠🗑☠🪦💀⚰]/u,
  superseded: /[♻🔁🔄⏭]/u,
  draft: /[📝🚧✏✍]/u,
  proposed: /[🤔💡🟡⏳⌛💬🗳❓🔍👀]/u,
}
