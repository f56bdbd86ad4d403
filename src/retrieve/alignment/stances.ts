// A sentence reduced to what it is for and what it is against.
import { isStopWord, terms } from '../../text/terms.js'
import {
  axes,
  decisionVerbs,
  lukewarm,
  negators,
  nounLed,
  reasons,
  refusals,
  talk,
  thought,
  turns,
} from './cues.js'

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
}

/** The stances of one sentence, in order. */
export function stancesOf(sentence: string, line: number): Stance[] {
  const short = sentence.slice(0, longest)
  const bare = short
    .replace(/\bi\.e\.?,?/gi, ' ')
    .replace(/\b(?:anything|everything|all|nothing) but\b/gi, (words) => (/^n/i.test(words) ? 'only' : 'not'))
    .replace(/\s*[([]?\b(?:e\.g\.?,?|for (?:instance|example),?)\s[^()[\];]*[)\]]?/gi, ' ')
    .replace(reasons, '')
  const kept = bare.trim().length >= 8 ? bare : short
  const opening = onlyTalks(kept.trim())
  return clausesOf(kept).flatMap((clause, i) => {
    const about = (i === 0 && opening) || onlyTalks(clause.words)
    const side = about || (clause.side > 0 && lukewarm.test(clause.words)) ? 0 : clause.side
    const stance = stanceOf({ ...clause, side }, short, line)
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

interface Clause {
  words: string
  side: 1 | -1 | 0
  /** Words of the clause that only say what it is about. */
  about?: string
  /** Where the form of the clause tells the two apart. */
  slots?: { option: string; concern: string }
}

// A comma or an "and" opens a clause when a verb or a turn follows; else it lists things.
const boundary = new RegExp(
  `\\s*[;:!?]\\s+|\\.\\s+|\\s+[–—-]\\s+|,?\\s+(?:but|whereas|yet)\\s+|(?:,\\s*(?:and\\s+|so\\s+|then\\s+)?|\\s+and\\s+(?:then\\s+|also\\s+|so\\s+)?)(?=(?:(?:we|they|it|you|teams?|users?)\\s+(?:will|would|should|must|may|can|drop|use|keep|do|are|need)\\b|(?:${decisionVerbs}|not|never|no|without|do|does|don't|doesn't|should|must|will|shall|won't)\\b|(?:[\\w'-]+\\s+){1,5}(?:will|would|should|must|may|can|is|are)\\b))`,
  'i',
)

function clausesOf(sentence: string): Clause[] {
  return sentence
    .split(boundary)
    .map((part) => part?.trim() ?? '')
    .filter((part) => /\p{L}/u.test(part))
    .flatMap(sidesOf)
    .slice(0, 24)
}

/** One clause into what it is for and what it is against. */
function sidesOf(clause: string): Clause[] {
  const replaced = /^(.*?)\breplac(?:e|es|ed|ing)\s+(.+?)\s+(?:with|by|to|for)\s+(.+)$/i.exec(clause)
  if (replaced && !/\b(?:not|never|without|\w+n't)\s+(?:\w+\s+){0,2}$/i.test(replaced[1]!))
    return [...before(replaced[1]!), against(replaced[2]!), ...sidesOf(replaced[3]!)]
  const moved = /^(.*?)\bfrom\s+(.+?)\s+(?:back\s+)?to\s+(.+)$/i.exec(clause)
  if (
    moved &&
    (moved[1]!.trim() === '' ||
      /\b(?:move|moving|migrat|switch|chang|go|going|convert|transition)/i.test(moved[1]!))
  ) {
    const side = negated(moved[1]!) ? -1 : 1
    return [
      { words: moved[2]!, side: -side as 1 | -1 },
      { words: `${moved[1]} ${moved[3]}`, side },
    ]
  }
  const turnedInto =
    /^(?:we (?:will|should|can|could)\s+|let's\s+)?(?:migrate|move|convert|switch|port|translate|change|turn|transform|rewrite|transition|upgrade)\s+(.+?)\s+(?:to|into|onto|over to)\s+(.+)$/i.exec(
      clause,
    )
  // What is moved may be what was chosen or only what it was chosen for: it takes no side.
  if (turnedInto && !negated(clause)) {
    const [, concern = '', option = ''] = turnedInto
    return [
      { words: concern, side: 0 },
      { ...pro(`${concern} to ${option}`, concern), slots: { option, concern } },
    ]
  }
  const takenOut =
    /^(?:.*?\s)?(?:leav(?:e|ing)|tak(?:e|ing)|keep(?:ing)?|strip(?:ping)?)\s+(.+?)\s+out\s+of\s+(.+)$/i.exec(
      clause,
    )
  if (takenOut && !negated(takenOut[1]!)) {
    const [words, option = '', concern = ''] = takenOut
    return [{ words, side: -1, about: concern, slots: { option, concern } }]
  }
  const renamed =
    /^(?:we (?:will|should|can|could)\s+|let's\s+)?renam(?:e|ing)\s+(.+?)\s+(?:to|into|as)\s+(.+)$/i.exec(
      clause,
    )
  if (renamed && !negated(clause)) return [against(renamed[1]!), pro(renamed[2]!)]
  const beside =
    /^(.*?)\s+(?:besides|alongside|next to|in addition to|on top of|side by side with)\s+(.+)$/i.exec(clause)
  if (beside) return [...sidesOf(beside[1]!), { words: beside[2]!, side: 0 }]
  const arrow = /^(.*?)\s*(?:→|->|=>)\s*(.+)$/.exec(clause)
  if (arrow && contentTerms(arrow[1]!).size > 0) return [against(arrow[1]!), ...sidesOf(arrow[2]!)]
  const favoured = /^(.*?)\s+in favou?r of\s+(.+)$/i.exec(clause)
  if (favoured) return [against(favoured[1]!.replace(refusals, ' ')), ...sidesOf(favoured[2]!)]
  const preferred =
    /^(.*?\b(?:prefer|pick|choose|favou?r|select|chose|picked)\w*\s+.+?)\s+(?:over|to)\s+(.+)$/i.exec(clause)
  if (preferred && !negated(preferred[1]!)) return [pro(preferred[1]!), against(preferred[2]!)]
  const turned = turns.exec(clause)
  if (turned && turned.index > 0 && !isPartOfVerb(turned[0], clause.slice(0, turned.index)))
    return [...sidesOf(clause.slice(0, turned.index)), against(clause.slice(turned.index + turned[0].length))]
  return [negated(clause) ? against(clause) : pro(clause)]
}

/** "Is not used" turns the whole clause; "as a local one, not a global one" only what follows. */
function isPartOfVerb(turn: string, before: string): boolean {
  return /^not\b/i.test(turn) && auxiliary.test(before)
}

const auxiliary =
  /\b(?:do|does|did|is|are|was|were|be|been|will|would|should|must|may|can|could|shall|has|have|had|or)\s*$/i

const pro = (words: string, about = ''): Clause => ({
  words: words.trim(),
  side: 1,
  ...(about ? { about } : {}),
})
const against = (words: string): Clause => ({ words: words.trim(), side: -1 })

/** What leads to a replacement may be a clause of its own. */
function before(words: string): Clause[] {
  return contentTerms(words).size >= 2 ? [negated(words) ? against(words) : pro(words)] : []
}

/** A small word and a refusing verb cancel out: "do not avoid X" is for X. What a relative clause says does not count. */
function negated(clause: string): boolean {
  const simple = clause
    .replace(
      /\b(?:not only|no later than|no more than|no less|no greater|no doubt|no matter|non-\w+|not least)\b/gi,
      ' ',
    )
    .replace(/\b\w+n't\b|\bcannot\b/gi, ' not ')
    .replace(/(?<=\w)\s+(?:that|which|who|whose)\s.*$/is, ' ')
  return negators.test(simple) !== refusals.test(simple)
}

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
  }
}

const ends = axes.flatMap(([, one, other]) => [new RegExp(one.source, 'gi'), new RegExp(other.source, 'gi')])

// --- What is picked, and for what.

const uses =
  /\b(?:use|uses|used|using|adopt(?:s|ed|ing)?|choos(?:e|es|ing)|chose|chosen|pick(?:s|ed)?|select(?:s|ed)?|go(?:ing)? with|go(?:ing)? back to|back to|return to|introduc(?:e|es|ed|ing)|prefer(?:s|red)?|switch(?:ing|ed)? to|mov(?:e|ing|ed)(?: \w+){0,3} to|migrat(?:e|ing)(?: \w+){0,3} to|keep(?:s|ing)?|stay(?:s|ing)? (?:on|with)|bring(?:ing)? back|pursue|opt(?:ed)? for)\s+/i
const purpose = /\s+(?:for|as|to|when|where|in|on|across|at|inside|within|throughout)\s+/i
const means =
  /\s+(?:with|using|via|through|by|under|in|on|as)\s+(?!(?:which|that|order|place|favou?r|case|addition|front|general)\b)/gi

function slots(words: string): { option: string; concern: string; slot: Stance['slot'] } {
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

/** Stems that carry content. A compound is there whole and in its parts; a name in camel case only whole. */
export function contentTerms(text: string): Set<string> {
  const found = new Set<string>()
  const wholes = new Set<number>()
  for (const { term, start, end, whole } of terms(text)) {
    if (whole && !/[-_./\s:@]/.test(text.slice(start, end))) wholes.add(start)
    else if (!whole && wholes.has(start)) continue
    // "key" and "keys", "policy" and "policies" end alike here.
    const stem = term.replace(/i$/, 'y')
    if (stem.length > 1 && !term.includes('/') && !isStopWord(term) && !empty.has(stem)) found.add(stem)
  }
  return found
}

/** Words joined by dashes: one that is longer is another thing ("external-secrets", "kubernetes-external-secrets"). */
function compoundsIn(words: string): string[] {
  return [...words.matchAll(/\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)+/gu)].map(([compound]) =>
    compound.toLowerCase(),
  )
}

// Words that every decision has, stemmed as the tokenizer stems them.
const empty: ReadonlySet<string> = new Set(
  terms(
    `use adopt keep write run build move put make give create add introduce switch replace set let allow offer provide
    apply support permit enable require install start stop avoid drop remove retire reject disable forbid abandon refuse prefer pick choose
    select go return bring place include stay rely implement do does done get take come become be been being have has
    had call called decision decide decided option chosen chose choice approach solution new will should must may can
    could would need want our us they way thing things all any every each always never also only still already existing
    current currently long longer anymore back away rather instead such like etc good better best well more most less
    many much other another same own one two first next last now today future work working works case cases example able
    available no not without via per through over whole everything anything nothing it its this that these those
    dont doesnt didnt wont wouldnt shouldnt cant couldnt isnt arent wasnt lets`,
  ).map(({ term }) => term.replace(/i$/, 'y')),
)

/** Names as terms: they tell one product, format or convention from another. */
function namesIn(words: string, sentence: string): Set<string> {
  const found = new Set<string>()
  for (const match of words.matchAll(word)) {
    const name = match[0]
    if (!isName(name, sentence.trimStart().startsWith(name) && match.index < 3)) continue
    for (const term of contentTerms(name)) found.add(term)
  }
  return found
}

const word = /[\p{L}\p{N}][\p{L}\p{N}_.+#/-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu

function isName(word: string, opens: boolean): boolean {
  if (/\p{Ll}\p{Lu}|^\p{Lu}{2,}|\p{L}\d|\d\p{L}|\p{L}[_.]\p{L}/u.test(word)) return true
  if (/^\p{Ll}+(?:-\p{Ll}+)+$/u.test(word)) return false
  return /^\p{Lu}/u.test(word) && !opens
}

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

function runsIn(words: string, sentence: string): string[][] {
  const runs: string[][] = []
  let run: string[] = []
  let end = -1
  for (const match of words.matchAll(word)) {
    const opens = sentence.trimStart().startsWith(match[0]) && match.index < 3
    const adjoins = end >= 0 && /^\s$/.test(words.slice(end, match.index))
    if (!adjoins && run.length > 0) runs.push(run.splice(0))
    if (isName(match[0], opens)) {
      run.push(...contentTerms(match[0]))
      end = match.index + match[0].length
    } else {
      if (run.length > 0) runs.push(run)
      run = []
      end = -1
    }
  }
  return [...runs, run].filter(({ length }) => length > 1)
}

/** A stance that says nothing but a name too short to be a term. */
export function bareStance(words: string, side: 1 | -1, line: number): Stance {
  return stanceOf({ words, side }, words, line)
}
