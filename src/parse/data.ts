// Configuration and data: kept as lines. Its outermost keys are names one searches for, and places to cut.
import type { Declaration, Parsed } from '../model/document.js'
import type { Format } from '../model/source.js'
import { lineStarts } from '../text/lines.js'
import { trimmedSpan } from '../text/spans.js'
import { parseLines } from './lines.js'

export function parseData(text: string, as: { format: Format; language: string | null }): Parsed {
  const find = keys[as.language ?? '']
  return { ...parseLines(text, as), declarations: find ? declarations(text, find) : [] }
}

type KeyOf = (line: string, before: { first: string | null }) => string | null

const keys: Readonly<Record<string, KeyOf>> = {
  json: (line, before) => {
    const found = /^(\s+)"((?:[^"\\]|\\.){1,200})"\s*:/.exec(line)
    if (!found) return null
    before.first ??= found[1]!
    return before.first === found[1] ? found[2]! : null
  },
  yaml: (line) => /^["']?([\p{L}\p{N}_$./][^:#"']{0,200})["']?\s*:(?:\s|$)/u.exec(line)?.[1]?.trim() ?? null,
  toml: (line, before) => {
    const table = /^\s*\[\[?([^\]]{1,200})\]/.exec(line)?.[1]
    if (table) before.first = table
    return table ?? (before.first === null ? (/^\s*([\w."-]{1,200})\s*=/.exec(line)?.[1] ?? null) : null)
  },
  ini: (line) => /^\s*\[([^\]]{1,200})\]/.exec(line)?.[1] ?? null,
}

// A lock file has tens of thousands of keys, and nobody asks for one of them by name.
const most = 500

function declarations(text: string, keyOf: KeyOf): Declaration[] {
  const starts = lineStarts(text)
  const found: { name: string; start: number }[] = []
  const before = { first: null }
  for (let i = 0; i < starts.length && found.length <= most; i++) {
    const line = text.slice(starts[i], Math.min(starts[i + 1] ?? text.length, starts[i]! + 500))
    const name = keyOf(line, before)
    if (name) found.push({ name, start: starts[i]! })
  }
  if (found.length > most) return []
  return found.map(({ name, start }, i) => {
    const span = trimmedSpan(text, starts, start, found[i + 1]?.start ?? text.length)!
    const signature = text
      .slice(start, start + 200)
      .split(/[\r\n]/)[0]!
      .trim()
    return { kind: 'key', name, scope: [], signature, ...span }
  })
}
