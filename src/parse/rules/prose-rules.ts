// Advice in prose, as far as it names what to look for in code font.
import type { Token } from 'markdown-it'
import type { Rule } from '../../model/rule.js'
import { blockTokens } from '../markdown-blocks.js'
import { type DerivedRule, depends, type Found, readSentence, strength } from './sentence-rules.js'
import { structuresIn } from './structure-checks.js'

export interface Advice {
  /** Made from its section and its place there: `common-pitfalls-3`, and `common-pitfalls-3.2` for the second that it says. */
  id: string
  text: string
  line: number
  /** Null: nothing here can be checked by a program, and why. */
  rule: Rule | null
  reason: string | null
}

/** The advice under Best Practices, Common Pitfalls and Implementation, in order. */
export function readAdvice(text: string): Advice[] {
  return itemsOf(text).flatMap(({ section, place, text, line }): Advice[] => {
    const id = `${section}-${place}`
    const read = rulesOf(text, section)
    if (typeof read === 'string') return [{ id, text, line, rule: null, reason: read }]
    return read.map((found, i) => {
      const own = i === 0 ? id : `${id}.${i + 1}`
      const rule: Rule = { id: own, languages: [], paths: [], except: [], line, message: text, ...found }
      return { id: own, text, line, rule, reason: null }
    })
  })
}

interface Item {
  section: Section
  place: number
  text: string
  line: number
}

const sections = ['best-practices', 'common-pitfalls', 'implementation'] as const
type Section = (typeof sections)[number]

/** List items and, in a section without lists, paragraphs. */
function itemsOf(text: string): Item[] {
  const items: Item[] = []
  const counts = new Map<Section, number>()
  let section: Section | null = null
  let level = 0
  let inItem = 0
  const { tokens } = blockTokens(text, 'markdown')
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const depth = Number(token.tag.slice(1))
      const named = sectionNamed(tokens[i + 1])
      if (named) [section, level] = [named, depth]
      else if (depth <= level) section = null
    }
    if (token.type === 'list_item_open') inItem++
    if (token.type === 'list_item_close') inItem--
    if (!section || token.type !== 'inline' || tokens[i - 1]?.type !== 'paragraph_open') continue
    // Implementation explains in paragraphs; elsewhere a paragraph leads up to the list.
    if (inItem === 0 && section !== 'implementation') continue
    const place = (counts.get(section) ?? 0) + 1
    counts.set(section, place)
    const text = token.content.replace(/\s+/g, ' ').trim()
    if (text) items.push({ section, place, text, line: (token.map?.[0] ?? 0) + 1 })
  }
  return items
}

function sectionNamed(inline: Token | undefined): Section | null {
  const name = (inline?.content ?? '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
  return sections.find((one) => name === one || name === one.replace(/s$/, '')) ?? null
}

const noName = 'No check recognises it: it is left to the reader.'
const unsure = 'It does not say plainly that the code it names must or must not be there.'
const recommends = 'What it forbids is a part of what it recommends.'

/** The rules in the sentences of one piece of advice, or why none can be derived. */
function rulesOf(text: string, section: Section): Found[] | string {
  const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z`])/)
  const isPitfall = section === 'common-pitfalls'
  const read = sentences.map((sentence) => (text.includes('`') ? readSentence(sentence, isPitfall) : null))
  const derived = read.filter((one) => one !== null && typeof one !== 'string')
  const structures = sentences.map((sentence, i) =>
    read[i] === null || typeof read[i] === 'string' ? structured(sentence, isPitfall) : [],
  )
  const built = structures.flat()
  if (derived.length + built.length === 0)
    return read.findLast((one) => typeof one === 'string') ?? (text.includes('`') ? unsure : noName)
  const isAside = (i: number) => read[i] === null && structures[i]!.length === 0
  if (sentences.some((sentence, i) => isAside(i) && allowance.test(sentence))) return depends
  return derived.some((one) => isRecommended(one, text))
    ? recommends
    : [...derived.map(({ found }) => found), ...built]
}

function structured(sentence: string, isPitfall: boolean): Found[] {
  return structuresIn(sentence, isPitfall).map(({ name, languages }) => ({
    severity: isPitfall ? 'warning' : strength(sentence),
    check: { kind: 'structure', name, sentence },
    languages,
  }))
}

/** Another sentence makes an exception to the rule. */
const allowance =
  /\b(?:exceptions?|except|unless|(?:is|are) (?:fine|ok|okay|allowed|acceptable)|may (?:still )?(?:use|be used))\b/i

/** "Never use `Date`; use `Date.now()`": code that follows the advice would be reported. */
function isRecommended({ found: { check }, names }: DerivedRule, text: string): boolean {
  if (!('require' in check) || check.require) return false
  const good = [...text.matchAll(recommended)]
    .map(([, name]) => name!)
    .filter((name) => !names.includes(name))
  if (check.kind === 'import')
    return good.some((name) =>
      check.imports.some((one) => name.startsWith(one) && /^[/.:]/.test(name.slice(one.length))),
    )
  const bad = check.kind === 'text' ? new RegExp(check.pattern, 'm') : null
  return bad !== null && good.some((name) => bad.test(name))
}

const recommended =
  /\b(?:use|prefer|call|import|choose|write|take|throw|return)(?: (?:a|an|the|our|only|just))* `([^`]+)`/gi
