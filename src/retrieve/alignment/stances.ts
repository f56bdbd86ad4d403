// A sentence reduced to what it is for and what it is against.

import { type Clause, clausesOf } from './clauses.js'
import { axes, lukewarm, nounLed, reasons, talk, thought } from './cues.js'
import { compoundsIn, contentTerms, namesIn, runsIn } from './wording.js'

export interface Stance {
  /** For it, against it, or only about it. */
  side: 1 | -1 | 0
  /** The words of the clause, as written. */
  words: string
  /** The sentence it stands in. */
  sentence: string
  line: number
  terms: ReadonlySet<string>
  /** What is picked or turned down, where the clause tells it from what it is picked for. */
  option: ReadonlySet<string>
  concern: ReadonlySet<string>
  /** Names: capitals inside a sentence, digits in words, dots and dashes, marks of code. */
  names: ReadonlySet<string>
  numbers: ReadonlySet<string>
  compounds: readonly string[]
  /** Terms that may be what was chosen as well as what for: no agreement rests on them. */
  moot: ReadonlySet<string>
  /** How the option was told: the object of a choice, or the means at the end. */
  slot: 'use' | 'means' | null
  /** The terms without those that only say at which end of an axis it stands. */
  base: ReadonlySet<string>
  /** Runs of names that belong together: "GitHub Actions" is not "GitHub". */
  runs: readonly (readonly string[])[]
  poles: ReadonlyMap<string, 1 | -1>
  /** Axes of which it names both ends, so that nobody can tell where it stands. */
  unclear: ReadonlySet<string>
  /** What stands on either side of "before" or "after". */
  around: readonly [ReadonlySet<string>, ReadonlySet<string>] | null
  /** "Only", "nothing else": leaves no room for another. */
  only: boolean
  /** Of what is given up for something else, the term that says what it is: of "the Lunr index file" the file. */
  gone: string | null
}

/** The stances of one sentence, in order. */
export function stancesOf(sentence: string, line: number): Stance[] {
  const short = sentence.slice(0, longest)
  const bare = short
    .replace(/\bi\.e\.?,?/gi, ' ')
    .replace(/\b(?:anything|everything|all|nothing) but\b/gi, (words) => (/^n/i.test(words) ? 'only' : 'not'))
    .replace(/\s*[([]?\b(?:e\.g\.?,?|for (?:instance|example),?)\s[^()[\];]*[)\]]?/gi, ' ')
    .replace(reasons, '')
    .replace(/,\s+(?:which|who|whose)\s[^,;.:]*(?:,|$)/gi, ' ')
  const kept = bare.trim().length >= 8 ? bare : short
  const opening = onlyTalks(kept.trim())
  return clausesOf(kept).flatMap((clause, i) => {
    const about = (i === 0 && opening) || onlyTalks(clause.words)
    const side = about || (clause.side > 0 && lukewarm.test(clause.words)) ? 0 : clause.side
    const { isGone, ...rest } = clause
    const given = isGone && !opening ? { isGone } : {}
    const stance = stanceOf({ ...rest, ...given, side }, short, line)
    return stance.terms.size === 0 && !(side < 0 && pronoun.test(clause.words)) ? [] : [stance]
  })
}

/** "Use Helm? Drop it.": what a refusal calls "it" is what was named last. One that refers to nothing is left out. */
export function withReferents(stances: readonly Stance[]): Stance[] {
  return stances.flatMap((stance, i): Stance[] => {
    if (stance.side >= 0 || !pronoun.test(stance.words)) return stance.terms.size > 0 ? [stance] : []
    const named = stances.slice(0, i).findLast(({ names }) => names.size > 0)?.names ?? new Set<string>()
    const terms = new Set([...stance.terms, ...named])
    return terms.size > 0 ? [{ ...stance, terms, base: new Set([...stance.base, ...named]) }] : []
  })
}

const pronoun = /\b(?:it|them)\b/i

function onlyTalks(words: string): boolean {
  return (talk.test(words) && !nounLed.test(words)) || thought.test(words)
}

const longest = 600

function stanceOf(clause: Clause, sentence: string, line: number): Stance {
  const { words, side, about = '' } = clause
  const { option, concern, slot } = clause.slots ? { ...clause.slots, slot: 'use' as const } : slots(words)
  const terms = contentTerms(words)
  const poles = polesOf(words)
  return {
    side,
    words,
    sentence,
    line,
    terms,
    option: contentTerms(option),
    concern: concern === words ? terms : contentTerms(concern),
    names: namesIn(words, sentence),
    numbers: new Set(
      [...words.matchAll(/(?<![\w.])v?(\d+(?:\.\d+)*)(?![\w]|\.\d)/g)].map((match) => match[1]!),
    ),
    moot: contentTerms(about),
    compounds: compoundsIn(words),
    slot,
    base: poles.size === 0 ? terms : contentTerms(ends.reduce((text, end) => text.replace(end, ' '), words)),
    runs: runsIn(words, sentence),
    poles,
    unclear: new Set(
      axes.flatMap(([name, one, other]) => (one.test(words) && other.test(words) ? [name] : [])),
    ),
    around: aroundOf(words),
    only: /\b(?:only|exclusively|nothing but|nothing else|solely)\b/i.test(words),
    gone: clause.isGone && side < 0 ? headOf(words, about) : null,
  }
}

function headOf(words: string, about: string): string | null {
  const head = about ? words.slice(0, words.lastIndexOf(about)) : words
  return [...contentTerms(head)].at(-1) ?? null
}

const ends = axes.flatMap(([, one, other]) => [new RegExp(one.source, 'gi'), new RegExp(other.source, 'gi')])

function polesOf(words: string): Map<string, 1 | -1> {
  const found = new Map<string, 1 | -1>()
  for (const [name, one, other] of axes) {
    const [has, hasOther] = [one.test(words), other.test(words)]
    if (has !== hasOther) found.set(name, has ? 1 : -1)
  }
  return found
}

function aroundOf(words: string): Stance['around'] {
  const found = /\b(?:before|after|ahead of|behind)\b/i.exec(words)
  if (!found) return null
  return [contentTerms(words.slice(0, found.index)), contentTerms(words.slice(found.index + found[0].length))]
}

/** A stance that says nothing but a name too short to be a term. */
export function bareStance(words: string, side: 1 | -1, line: number): Stance {
  return stanceOf({ words, side }, words, line)
}

// What is picked, and for what.

const uses =
  /\b(?:use|uses|used|using|adopt(?:s|ed|ing)?|choos(?:e|es|ing)|chose|chosen|pick(?:s|ed)?|select(?:s|ed)?|go(?:ing)? with|go(?:ing)? back to|back to|return to|introduc(?:e|es|ed|ing)|prefer(?:s|red)?|switch(?:ing|ed)? to|mov(?:e|ing|ed)(?: \w+){0,3} to|migrat(?:e|ing)(?: \w+){0,3} to|keep(?:s|ing)?|stay(?:s|ing)? (?:on|with)|bring(?:ing)? back|pursue|opt(?:ed)? for)\s+/i
const purpose = /\s+(?:for|as|to|when|where|in|on|across|at|inside|within|throughout)\s+/i
const means =
  /\s+(?:with|using|via|through|by|under|in|on|as)\s+(?!(?:which|that|order|place|favou?r|case|addition|front|general)\b)/gi

function slots(words: string): { option: string; concern: string; slot: 'use' | 'means' | null } {
  const used = uses.exec(words)
  if (used) {
    const rest = words.slice(used.index + used[0].length)
    const cut = purpose.exec(rest)
    const before = words.slice(0, used.index)
    return cut
      ? {
          option: rest.slice(0, cut.index),
          concern: `${before} ${rest.slice(cut.index + cut[0].length)}`,
          slot: 'use',
        }
      : { option: rest, concern: before, slot: 'use' }
  }
  const state =
    /\b(?:is|are|be|being|stay|live)\s+(?:\w+(?:ed|en|t)\s+)?(?:in|on|with|by|under|as|at)\s+/i.exec(words)
  if (state)
    return {
      option: words.slice(state.index + state[0].length),
      concern: `${words.slice(0, state.index)} ${state[0]}`,
      slot: 'use',
    }
  const all = [...words.matchAll(means)]
  const last =
    all.find((match) => /^(?:the |an? )?[A-Z`"“]/.test(words.slice(match.index + match[0].length))) ??
    all[all.length - 1]
  if (!last) return { option: '', concern: words, slot: null }
  return {
    option: words.slice(last.index + last[0].length),
    concern: words.slice(0, last.index),
    slot: 'means',
  }
}
