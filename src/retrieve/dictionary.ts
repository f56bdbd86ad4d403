// Everyday and technical words of seven languages with their English ones, from `models/words.txt`: our own list.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fold } from '../text/analyse.js'

export interface Dictionary {
  /** What the language is called. */
  language: string
  unspaced: boolean
  /** English words by the folded form of the foreign one. A word that only holds a sentence together has none. */
  forms: ReadonlyMap<string, readonly string[]>
  /** The longest form has so many words, or characters where the script has no spaces. */
  longest: number
}

const languages: Readonly<Record<string, string>> = {
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  pt: 'Portuguese',
  ru: 'Russian',
  zh: 'Chinese',
  ja: 'Japanese',
}

let read: Promise<readonly Dictionary[]> | null = null

/** None where the list cannot be read: a search goes on with the words as they are. */
export function dictionaries(): Promise<readonly Dictionary[]> {
  read ??= readWords().catch(() => [])
  return read
}

async function readWords(): Promise<Dictionary[]> {
  const file = fileURLToPath(new URL('../../../models/words.txt', import.meta.url))
  const [first, ...rows] = (await readFile(file, 'utf8')).trim().split(/\r?\n/)
  const lines = rows.map((row) => row.split('|'))
  const [, ...codes] = first!.split('|')
  return codes.map((code, i) =>
    dictionary(
      code,
      lines.map((line) => [line[0]!, line[i + 1]!] as const),
    ),
  )
}

function dictionary(
  code: string,
  lines: readonly (readonly [english: string, foreign: string])[],
): Dictionary {
  const unspaced = code === 'zh' || code === 'ja'
  const forms = new Map<string, readonly string[]>()
  // As written, then without accents where that is no other word: `sûr` is not `sur`.
  for (const written of [plain, folded]) {
    const read = new Map<string, readonly string[]>()
    for (const [english, foreign] of lines)
      for (const form of foreign.split('/').map(written)) read.set(form, together(read.get(form), english))
    for (const [form, senses] of read) if (!forms.has(form)) forms.set(form, senses)
  }
  const lengths = [...forms.keys()].map((form) => (unspaced ? [...form].length : form.split(' ').length))
  return { language: languages[code]!, unspaced, forms, longest: Math.max(...lengths) }
}

/** A word that holds sentences together is nothing else. */
function together(known: readonly string[] | undefined, english: string): readonly string[] {
  if (english === '-' || known?.length === 0) return []
  return [...new Set([...(known ?? []), english])]
}

/** What a form means, as it is written or without its accents. */
export function sensesOf({ forms }: Dictionary, text: string): readonly string[] | undefined {
  return forms.get(plain(text)) ?? forms.get(folded(text))
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/['’-]/g, ' ')
}

/** As forms are compared: without capitals and accents, apostrophes and hyphens as spaces. */
export function folded(text: string): string {
  return fold(text).replace(/['’-]/g, ' ')
}

/** The form that a word is an inflection of: the one with which it begins alike the longest. */
export function inflected({ forms }: Dictionary, word: string): string | null {
  let best: { form: string; alike: number; rest: number } | null = null
  for (const form of forms.keys()) {
    if (form[0] !== word[0] || forms.get(form)!.length === 0) continue
    const alike = common(form, word)
    const ending = form.length >= 8 ? 3 : 2
    if (alike < 4 || form.length - alike > ending || word.length - alike > ending + 1) continue
    const rest = form.length + word.length - 2 * alike
    if (!best || alike > best.alike || (alike === best.alike && rest < best.rest))
      best = { form, alike, rest }
  }
  return best?.form ?? null
}

function common(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}
