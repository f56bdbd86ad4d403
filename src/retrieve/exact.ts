// How literally a passage has what was asked for: words that stand together in the question and together in a heading
// say more than the same words apart.

import type { StoredChunk } from '../model/document.js'
import { type FileRole, fileRole, isSideRole } from '../text/file-role.js'
import { holdsPhrase, isStopWord, phraseTerms } from '../text/terms.js'
import { mostCharacters } from './query.js'

/** The whole question is the title, a heading, a symbol or the file's name; stands in one; stands in the text; or all its words do, apart, be it one. */
export const exactness = { is: 1, named: 0.7, said: 0.5, complete: 0.3, none: 0 } as const

/** A question longer than this is no name and no quotation. */
const longest = 16

/** For passages that have every word of the question. */
export function exactly(question: string): (chunk: StoredChunk) => number {
  const worded = byTerms(question)
  const spelled = spelledIn(question)
  if (!spelled) return worded
  return (chunk) => {
    if (!spelled.standsIn(chunk)) return Math.min(worded(chunk), exactness.complete)
    return spelled.isAll ? exactness.is : Math.max(worded(chunk), exactness.named)
  }
}

export interface Spelled {
  /** Nothing else is asked for. */
  isAll: boolean
  standsIn(chunk: StoredChunk): boolean
}

/** What is asked for with its signs (`--max-count`, `__LINE__`, `$scope`), of which the index knows the words alone; null without any. */
export function spelledIn(question: string): Spelled | null {
  const asked = question.slice(0, mostCharacters)
  const names = asked.match(signed)?.slice(0, longest)
  if (!names) return null
  const forms = [...new Set(names)].map(literally)
  const isAll = phraseTerms(asked.replace(signed, ' ')).length === 0
  const standsIn = (chunk: StoredChunk) => {
    const written = [chunk.text, ...namesOf(chunk)]
    return forms.every((form) => written.some((text) => form.test(text)))
  }
  return { isAll, standsIn }
}

// Signs before or behind a word; within it they part words or join them, as they do in prose.
const signed =
  /(?<![^\s"'`“”„«»‘’([{,;:=])(?:(?:--?|_+|\$|@|#)[\p{L}\p{N}_]+(?:[-./][\p{L}\p{N}_]+)*|[\p{L}\p{N}_]+(?:_|\$)(?![\p{L}\p{N}_]))/gu

/** As it is written but for case, and no part of a longer name. */
function literally(name: string): RegExp {
  const sign = /^[^\p{L}\p{N}]/u.exec(name)?.[0] ?? ''
  const written = name.replace(/[$./]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_${sign === '-' ? '\\-' : sign}])${written}(?!-?[\\p{L}\\p{N}_])`, 'iu')
}

function byTerms(question: string): (chunk: StoredChunk) => number {
  const asked = phraseTerms(question.slice(0, mostCharacters))
  const telling = asked.filter((term) => !isStopWord(term))
  const least = telling.length > 0 ? exactness.complete : exactness.none
  if (asked.length === 0 || asked.length > longest) return () => least
  return (chunk) => {
    const names = namesOf(chunk).map(phraseTerms)
    if (names.some((name) => same(name, asked))) return exactness.is
    if (asked.length === 1) return least
    if (names.some((name) => within(name, asked))) return exactness.named
    return holdsPhrase(chunk.text, asked) ? exactness.said : least
  }
}

function namesOf({ title, headings, symbols, ref }: StoredChunk): string[] {
  const file = ref.path.slice(ref.path.lastIndexOf('/') + 1)
  return [title, ...headings, ...symbols, ref.path, file, file.replace(/\.[^.]+$/, '')]
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((term, i) => term === b[i])
}

function within(name: readonly string[], asked: readonly string[]): boolean {
  for (let i = 0; i + asked.length <= name.length; i++)
    if (asked.every((term, j) => name[i + j] === term)) return true
  return false
}

// Names in a question: what defines a name comes before what explains it, and that before what uses it. Tests, generated
// code and the like come below what they are about, unless the question asks for them. Pure.

/** How a chunk has a name that was asked for, and how literal that is (see `exactness`). */
export type NameUse = 'defines' | 'defines, in another case' | 'explains'

const nameValues: Readonly<Record<NameUse, number>> = {
  defines: 1.3,
  'defines, in another case': 1.15,
  explains: 1.05,
}

/** A name within a longer question says less than a question that is the name. */
const amongWords = 0.6

export interface NamesAsked {
  /** Null: the chunk neither defines nor explains a name. */
  useIn(chunk: StoredChunk): NameUse | null
  valueOf(use: NameUse): number
}

/** The names in a question; null without any. A question of one word asks for a name, whatever it looks like. */
export function namesIn(question: string): NamesAsked | null {
  const asked = question.slice(0, mostCharacters).trim()
  const isName = oneName.test(asked)
  const names = isName ? [bare(asked)] : namesInProse(asked).slice(0, most)
  if (names.length === 0) return null
  const lower = new Set(names.map((name) => name.toLowerCase()))
  const exact = new Set(names)
  return {
    useIn(chunk) {
      const defined = chunk.symbols.flatMap((symbol) => [symbol, lastPart(symbol)])
      if (defined.some((name) => exact.has(name))) return 'defines'
      if (defined.some((name) => lower.has(name.toLowerCase()))) return 'defines, in another case'
      const heading = chunk.headings.at(-1) ?? ''
      return chunk.kind !== 'code' && exact.has(bare(heading.replaceAll('`', '').trim())) ? 'explains' : null
    },
    valueOf: (use) => (isName ? nameValues[use] : nameValues[use] * amongWords),
  }
}

const most = 8
/** One name and nothing else: `retryBudget`, `Client.send()`, `parse_header`. */
const oneName = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?$/u
/** What nobody writes in prose: a hump, an underscore within, or brackets behind. */
const named =
  /(?<![\p{L}\p{N}_$.\-/])(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::))*(?:[\p{L}$]*\p{Ll}\p{Lu}[\p{L}\p{N}_$]*|\p{Lu}{2,}\p{Ll}[\p{L}\p{N}]*|[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+|[\p{L}_$][\p{L}\p{N}_$]*\(\))(?![\p{L}\p{N}_$\-/])(?:\(\))?/gu

/** What of a text in words are names of code, each once. */
export function namesInProse(text: string): string[] {
  return [...new Set(text.match(named))].map(bare)
}

function bare(name: string): string {
  return name.replace(/\(\)$/, '').replaceAll(/::|#/g, '.')
}

/** Without the names around it. */
export function lastPart(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('.') + 1)
}

/** Tells which chunks are of a file that is rarely asked for, and of which role; null for all others. */
export function sideRoles(question: string): (chunk: StoredChunk) => FileRole | null {
  const asked = question.slice(0, mostCharacters)
  const wanted = new Set(askedRoles.flatMap(({ words, roles }) => (words.test(asked) ? roles : [])))
  return ({ ref }) => {
    const role = fileRole(ref.path)
    return isSideRole(role) && !wanted.has(role) && !releasePage.test(ref.path) ? role : null
  }
}

/** A page on releases may explain how they are made: it is documentation as much as a changelog. */
const releasePage = /(?:^|\/)releases?[^/]*$/i

const askedRoles: readonly { words: RegExp; roles: readonly FileRole[] }[] = [
  { words: /(?<!\p{L})(?:tests?|tested|testing|specs?|e2e)(?!\p{L})/iu, roles: ['test', 'fixture'] },
  {
    words: /(?<!\p{L})(?:fixtures?|mocks?|mocked|snapshots?|goldens?)(?!\p{L})/iu,
    roles: ['test', 'fixture'],
  },
  { words: /(?<!\p{L})(?:generated|codegen|protobuf)(?!\p{L})/iu, roles: ['generated'] },
  {
    words: /(?<!\p{L})(?:translat\p{L}+|locali[sz]\p{L}+|locales?|i18n|catalogues?)(?!\p{L})/iu,
    roles: ['translation'],
  },
  {
    words: /(?<!\p{L})(?:vendor(?:ed)?|third.party|node_modules)(?!\p{L})/iu,
    roles: ['vendored', 'minified'],
  },
  { words: /(?<!\p{L})minified(?!\p{L})|\.min\./iu, roles: ['minified'] },
  { words: /(?<!\p{L})(?:locks?|lock.?files?|locked)(?!\p{L})|\.sum(?!\p{L})/iu, roles: ['lock'] },
  {
    words:
      /(?<!\p{L})(?:change.?logs?|changes?|changed|histor\p{L}+|releases?|released|news|versions?|added|removed|since|deprecat\p{L}+)(?!\p{L})/iu,
    roles: ['changelog'],
  },
]
