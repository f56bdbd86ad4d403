// The options a record weighed, which one it took, and why.
import type { Adr, AdrOption } from './adr.js'
import { kindOfText } from './content.js'
import { type Page, type Part, textOf } from './page.js'

export function optionsOf(page: Page, decision: Adr['decision']): AdrOption[] {
  const named = [...listed(page), ...headed(page)].slice(0, most)
  const options = named.reduce<AdrOption[]>(merge, [])
  for (const part of page.parts)
    if (part.role === 'arguments' || part.role === 'options') argue(options, part)
  const choice = chosen(options, decision)
  if (choice) {
    choice.option.outcome = 'chosen'
    choice.option.because ??= choice.because
  }
  return options
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

/** The same words, or the head of the longer one before a dash or a colon. */
export function sameName(a: string, b: string): boolean {
  const [one, other] = [letters(a), letters(b)]
  if (one === other) return one !== ''
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 3 && long.startsWith(`${short} `)
}

function letters(name: string): string {
  return name
    .toLowerCase()
    .replace(/["'“”‘’`*_()[\],.:;–—-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
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

// --- The choice.

interface Choice {
  option: AdrOption
  because: string | null
}

function chosen(options: readonly AdrOption[], decision: Adr['decision']): Choice | null {
  if (options.length === 0 || !decision) return null
  for (const { text } of decision.sentences.slice(0, 12)) {
    const named = choiceNamed(text)
    const option = named && optionFor(options, named.name)
    if (option) return { option, because: named.because }
  }
  return null
}

const saidChosen =
  /^\W*(?:(?:chosen|selected|preferred|accepted|recommended)\s+(?:option|solution|alternative|approach)s?\s*(?:is|was)?\s*[:–—-]?|we\s+(?:chose|choose|picked|pick|selected|select|decided\s+(?:on|for|to\s+(?:use|go\s+with|adopt))|will\s+(?:use|go\s+with|adopt)|have\s+(?:chosen|selected)|opted\s+for|go\s+with|use)|go(?:ing)?\s+(?:with|for)|decided\s+(?:on|for)|use|adopt)\s*/i

/** `Chosen option: "X", because Y` and its many cousins; a bare "Option 1, X." counts as well. */
function choiceNamed(text: string): { name: string; because: string | null } | null {
  const lead = saidChosen.exec(text)
  const rest = lead
    ? text.slice(lead[0].length)
    : /^\W*option\s+(?:\d{1,2}|[a-z])\b/i.test(text)
      ? text
      : null
  if (rest === null) return null
  const because = /[,;:.\s]+(?:because|since|as it|due to)\s+(.{3,500})$/is.exec(rest)
  const quoted = /^["“'‘]([^"”’]{2,300})["”'’]/.exec(rest.trim())
  const name = quoted?.[1] ?? rest.slice(0, because?.index ?? rest.length).replace(/[.;]\s*$/, '')
  return { name: name.trim(), because: because?.[1]?.trim() ?? null }
}

function optionFor(options: readonly AdrOption[], name: string): AdrOption | null {
  const ordinal = /^(?:option|alternative)?\s*#?(\d{1,2}|[a-z])\b(?=$|[\s,.:;)–—-])/i.exec(name)?.[1]
  const exact = options.find((option) => sameName(option.name, name))
  if (exact) return exact
  if (ordinal && /^(?:option|alternative)/i.test(name)) {
    const index = /\d/.test(ordinal) ? Number(ordinal) - 1 : ordinal.toLowerCase().charCodeAt(0) - 97
    if (options[index]) return options[index]
  }
  const said = ` ${letters(name)} `
  const held = options.filter((option) => said.includes(` ${letters(option.name)} `))
  return held.length === 1 ? held[0]! : null
}
