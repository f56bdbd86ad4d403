// The options a record weighed, which one it took, and why.
import type { Adr, AdrOption } from './adr.js'
import { type Choice, choiceIn } from './choice.js'
import { kindOfText } from './content.js'
import { sameName } from './option-names.js'
import { type Page, type Part, textOf } from './page.js'

export function optionsOf(page: Page, decision: Adr['decision']): AdrOption[] {
  const named = [...listed(page), ...headed(page)].slice(0, most)
  const options = named.reduce<AdrOption[]>(merge, [])
  for (const part of page.parts)
    if (part.role === 'arguments' || part.role === 'options') argue(options, part)
  const choice = choiceIn(options, decision)
  if (choice) take(options, choice)
  return options
}

/** What the decision takes counts; one that a list only prefers or recommends stays listed then. */
function take(options: readonly AdrOption[], { option, because }: Choice) {
  for (const one of options) if (one.outcome === 'chosen') one.outcome = 'listed'
  option.outcome = 'chosen'
  option.because ??= because
}

// Names are compared with each other: a record with more options than this has something else in mind.
const most = 80

// --- Names.

function listed(page: Page): AdrOption[] {
  return page.parts
    .filter((part) => part.own === 'options')
    .flatMap(({ pieces }) => pieces)
    .filter((piece) => piece.kind === 'item' && piece.depth === 0)
    .map((piece) => optionNamed(textOf(piece), piece.line))
}

/** Headings under "Options" and under "Pros and cons" are options, unless they are one of their own parts. */
function headed(page: Page): AdrOption[] {
  return page.parts
    .filter(
      ({ parent, own }) => own === null && parent && (parent.own === 'options' || parent.own === 'arguments'),
    )
    .filter(
      ({ heading }) =>
        !/^(?:pros?|cons?|advantages|disadvantages|summary|conclusion|notes?)\b/i.test(heading),
    )
    .map(({ heading, line }) => optionNamed(heading, line))
}

function optionNamed(written: string, line: number): AdrOption {
  const { name, tail } = nameAndTail(written.replace(/^\[[ xX]\]\s*/, ''))
  const refused = /^\W*(?:rejected|refused|declined|discarded|dismissed|not chosen|ruled out)\b/i.test(tail)
  const taken = /^\W*(?:chosen|selected|accepted|preferred|picked|recommended)\b/i.test(tail)
  return {
    name,
    line,
    pros: [],
    cons: [],
    neutral: [],
    outcome: refused ? 'rejected' : taken ? 'chosen' : 'listed',
    because: refused || taken ? tail.replace(/^\W*\w+(?: for now)?\W*/, '').trim() || null : null,
  }
}

/** "A base class with hooks. Rejected: hooks grow" and "Types (preferred)": a name, and what is said of it. */
function nameAndTail(written: string): { name: string; tail: string } {
  const text = written
    .replace(
      /^(?:option|alternative|solution|approach|choice|variant)\s+(?:\d{1,2}|[a-z])\s*[:.)–—-]\s*/i,
      '',
    )
    .replace(/^\d{1,2}[.)]\s+/, '')
  const verdict =
    /[\s.(:;,–—-]+(?:\(|\b)(?=(?:rejected|refused|declined|discarded|dismissed|not chosen|ruled out|chosen|selected|preferred|picked|recommended)\b)/i.exec(
      text,
    )
  if (verdict && verdict.index > 0)
    return { name: text.slice(0, verdict.index).trim(), tail: text.slice(verdict.index) }
  const sentence = /^(.{3,160}?)(?:\.\s|\s[–—-]\s|:\s)/.exec(text)
  return text.length > 160 && sentence
    ? { name: sentence[1]!, tail: text.slice(sentence[0].length) }
    : { name: text.slice(0, 300).trim(), tail: '' }
}

function merge(options: AdrOption[], next: AdrOption): AdrOption[] {
  const same = options.find(({ name }) => sameName(name, next.name))
  if (!same) return next.name ? [...options, next] : options
  if (same.outcome === 'listed')
    Object.assign(same, { outcome: next.outcome, because: same.because ?? next.because })
  return options
}

// --- Pros and cons.

function argue(options: AdrOption[], part: Part) {
  const option = ownerOf(options, part)
  if (!option) return
  let side = sideOf(part.heading)
  for (const piece of part.pieces) {
    const text = textOf(piece)
    const label = piece.kind === 'paragraph' || /:\s*$/.test(text) ? sideOf(text) : null
    if (label && text.length < 40) side = label
    else if (piece.kind === 'item') place(option, text, side)
  }
}

function ownerOf(options: readonly AdrOption[], part: Part): AdrOption | null {
  for (let at: Part | null = part; at; at = at.parent) {
    const { name } = optionNamed(at.heading, at.line)
    const found = options.find((option) => sameName(option.name, name))
    if (found) return found
  }
  return null
}

type Side = 'good' | 'bad' | 'neutral' | null

function sideOf(text: string): Side {
  if (/^\W*(?:pros?|advantages?|benefits?|positives?|upsides?|good)\b/i.test(text)) return 'good'
  return /^\W*(?:cons?|disadvantages?|drawbacks?|negatives?|downsides?|bad)\b/i.test(text) ? 'bad' : null
}

function place(option: AdrOption, text: string, side: Side) {
  const kind = kindOfText(text) ?? side
  if (!kind) return
  const said = text
    .replace(/^(?:good|bad|neutral|pro|con|ok|interesting)\b[\s,:;.–—-]*(?:because\s+)?/i, '')
    .slice(0, 500)
  const into = kind === 'good' ? option.pros : kind === 'bad' ? option.cons : option.neutral
  if (into.length < 40) into.push(said || text.slice(0, 500))
}
