// Proposals that repeat a decision word for word; that repeat it with a no in front; or with a neighbour in the place of what
// it takes. All words but those are the record's own and stand in its order, so nothing has to be weighed.
import type { Adr, Said } from '../../parse/adr/adr.js'
import { sentences } from '../../text/sentences.js'
import { orders } from './cues.js'
import { isDecision } from './decided.js'
import type { Evidence } from './evidence.js'
import { membersIn } from './families.js'
import type { Prepared } from './prepared.js'
import { saysLittle } from './same-words.js'

/** Support only where every sentence is an echo; one that goes against a decision is enough. */
export function echoOf(text: string, { adr }: Prepared): Evidence | null {
  if (adr.status === 'rejected') return null
  const said = text.split(/\n+/).flatMap((line) => sentences(line))
  if (said.length === 0 || said.length > mostSentences) return null
  const own = spokenBy(adr)
  const heard = said.map((sentence) => echoIn(sentence.text, own))
  const against = heard.find((one) => one?.verdict === 'conflicts')
  return against ?? (heard.every((one) => one !== null) ? heard[0]! : null)
}

const mostSentences = 10

/**
 * Nothing but sentences that stand in the decision, or the option it took. What of it is no decision by itself gives no support,
 * and whoever says it does not go against the record.
 */
export function isRepeated(text: string, { adr }: Prepared): boolean {
  if (adr.status === 'rejected') return false
  const own = writtenIn(adr)
  const said = text
    .split(/\n+/)
    .flatMap((line) => sentences(line))
    .map((sentence) => sentence.text)
  return said.length > 0 && (own.has(asWritten(text)) || said.every((one) => own.has(asWritten(one))))
}

function writtenIn(adr: Adr): ReadonlySet<string> {
  const known = written.get(adr)
  if (known) return known
  const chosen = adr.options.filter(({ outcome }) => outcome === 'chosen').map(({ name }) => name)
  const others = new Set(
    adr.options.filter(({ outcome }) => outcome !== 'chosen').map(({ name }) => asWritten(name)),
  )
  const all = [...chosen, ...(adr.decision?.sentences ?? []).map(({ text }) => text)].map(asWritten)
  const made = new Set(all.filter((one) => one !== '' && !others.has(one)))
  written.set(adr, made)
  return made
}

const written = new WeakMap<Adr, ReadonlySet<string>>()

function asWritten(text: string): string {
  return wordsOf(text).join(' ')
}

interface Spoken extends Said {
  words: string[]
}

/** What a record decides in so many words: not what it weighs, tells of the past or makes conditions for. */
function spokenBy(adr: Adr): readonly Spoken[] {
  const known = spoken.get(adr)
  if (known) return known
  const made = speak(adr)
  spoken.set(adr, made)
  return made
}

const spoken = new WeakMap<Adr, readonly Spoken[]>()

function speak({ title, titleLine, decision, options }: Adr): Spoken[] {
  const chosen = options.filter(({ outcome }) => outcome === 'chosen')
  const all: Said[] = [
    ...(orders.test(title) ? [{ text: title, line: titleLine ?? 1 }] : []),
    ...chosen.map(({ name, line }) => ({ text: name, line })),
    ...(decision?.sentences ?? []).filter((said, i) => i === 0 || isDecision(said)),
  ]
  return all
    .filter(({ text }) => !weighs.test(text))
    .map((said) => ({ ...said, words: wordsOf(said.text) }))
    .filter(({ words }) => telling(words).length >= fewest)
}

const fewest = 2
const weighs =
  /\?|\b(?:could|might|may|would|consider\w*|alternativ\w*|instead|rather|however|although|though|but|unless|if|when|until|option|reject\w*|unlike|previously|used to|was|were|had|yet|later|except)\b/i

function echoIn(sentence: string, own: readonly Spoken[]): Evidence | null {
  const words = wordsOf(sentence)
  const same = own.filter((one) => ruleOf(words, one.words) === 'same-choice')
  for (const one of same.length > 0 ? same : own) {
    const rule = ruleOf(words, one.words)
    if (!rule) continue
    const verdict = rule === 'same-choice' ? 'supports' : 'conflicts'
    return {
      rule,
      verdict,
      strength: 1,
      proposal: sentence,
      decision: one.text,
      as: 'said',
      line: one.line,
      fit: 1,
    }
  }
  return null
}

function ruleOf(said: readonly string[], own: readonly string[]): Evidence['rule'] | null {
  if (said.length === own.length && said.every((word, i) => word === own[i])) return 'same-choice'
  if (own.some((word) => negation.test(word))) return null
  if (isDenied(said, own)) return 'negates-chosen'
  return isExchanged(said, own) ? 'other-option' : null
}

/** A no in front of what the record has, most of it and nothing else. */
function isDenied(said: readonly string[], own: readonly string[]): boolean {
  const at = said.findIndex((word) => negation.test(word))
  if (at < 0 || at > 2) return false
  const [denied, chosen] = [telling(said.slice(at + 1)), telling(own)]
  let next = 0
  for (const word of chosen) if (word === denied[next]) next++
  return next === denied.length && next >= fewest && next * 5 >= chosen.length * 3
}

/** The same but for one name, which has another of its family in its place. */
function isExchanged(said: readonly string[], own: readonly string[]): boolean {
  const most = Math.min(said.length, own.length)
  let [head, tail] = [0, 0]
  while (head < most && said[head] === own[head]) head++
  while (tail < most - head && said[said.length - 1 - tail] === own[own.length - 1 - tail]) tail++
  const [theirs, ours] = [said.slice(head, said.length - tail), own.slice(head, own.length - tail)]
  const shared = telling([...said.slice(0, head), ...said.slice(said.length - tail)])
  if (shared.length < fewest || theirs.length > longestName || ours.length > longestName) return false
  const [wanted, taken] = [membersIn(theirs.join(' ')), membersIn(ours.join(' '))]
  return [...wanted].some(([family, some]) => {
    const others = taken.get(family)
    return others !== undefined && ![...some].some((one) => others.has(one))
  })
}

const longestName = 3
const negation = /^(?:not|never|don't|doesn't|won't|isn't|aren't|cannot|can't|mustn't|shouldn't)$/

/** As they are said, without the marks of a text and the "we will" of a decision. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[‘’]/g, "'")
    .split(/\s+/)
    .map((word) => word.replace(/^[("'“”`*_#-]+|[)"'“”`*_.,:;!-]+$/g, ''))
    .filter(Boolean)
    .join(' ')
    .replace(
      /^(?:we|the team|it was|it has been) (?:(?:will|shall|must|should)|(?:have )?(?:decided|agreed|chosen) to) /,
      '',
    )
    .split(' ')
}

function telling(words: readonly string[]): string[] {
  return words.filter((word) => !saysLittle(word) && !/^(?:do|does|all|every)$/.test(word))
}
