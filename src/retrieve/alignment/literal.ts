// What can be said of a proposal and a record by their words alone: the proposal picks an option that was rejected, drops what
// was chosen, puts another name in its place, or says the same. These are the cases the specification names. Everything that
// takes understanding is left to the reading model.
import type { Adr } from '../../parse/adr/adr.js'
import { sentences } from '../../text/sentences.js'
import { isStopWord, terms } from '../../text/terms.js'
import type { Evidence, Rule } from './evidence.js'
import { optionsOf, quoteOf, type Statement, statementsOf } from './statements.js'

/** What the rules say of a proposal beside a record: the clearest of those that apply; null where none does. */
export function literalRule(proposal: string): (adr: Adr) => Evidence | null {
  const said = proposal
    .split(/\n+/)
    .flatMap((line) => sentences(line))
    .slice(0, mostSentences)
    .map(({ text }) => ({ text, words: wordsOf(text) }))
  return (adr) => {
    const own = ownStatements(adr)
    // A sentence of the decision never goes against it.
    const unsaid = said.filter((sentence) => !own.some((one) => isRepeated(sentence, one)))
    for (const sentence of unsaid) {
      const against = byOption(sentence, adr, own) ?? byStatement(sentence, adr, own)
      if (against) return against
    }
    return said.length === 1 ? sameChoice(said[0]!, adr, own) : null
  }
}

interface Sentence {
  text: string
  words: Words
}

type OwnStatement = Statement & { words: Words }

/** Taken apart once for each record: a proposal is compared with all of them. */
const known = new WeakMap<Adr, OwnStatement[]>()

function ownStatements(adr: Adr): OwnStatement[] {
  const before = known.get(adr)
  if (before) return before
  const made = statementsOf(adr).map((one) => ({ ...one, words: wordsOf(one.text) }))
  known.set(adr, made)
  return made
}

const mostSentences = 40

// --- Options by their names.

function byOption(sentence: Sentence, adr: Adr, own: readonly OwnStatement[]): Evidence | null {
  const options = optionsOf(adr).flatMap((option) => {
    const name = shortName(option.name)
    return name ? [{ ...option, stance: stanceOn(name, sentence.text) }] : []
  })
  const statement = (name: string) => own.find((one) => one.isOption && one.text === name)!
  const dropped = options.find(({ role, stance }) => role === 'chosen' && stance === 'drops')
  if (dropped) return evidence('negates-chosen', sentence, statement(dropped.name))
  if (options.some(({ role, stance }) => role === 'chosen' && stance === 'picks')) return null
  const picked = options.find(({ role, stance }) => role === 'refused' && stance === 'picks')
  return picked && isAbout(sentence, own)
    ? evidence('picks-rejected', sentence, statement(picked.name))
    : null
}

/** Terraform may have been turned down for packages and be right for the network: the title says what a record is about. */
function isAbout({ words }: Sentence, [title]: readonly OwnStatement[]): boolean {
  return words.content.some((word) => title!.words.content.includes(word))
}

/** An option as somebody would say it: up to the first mark, without "use". */
function shortName(name: string): string | null {
  const head = name
    .replace(/["“”'‘’`]/g, '')
    .replace(/^(?:use|adopt|keep|have|do|with)\s+(?:an?\s+|the\s+)?/i, '')
    .split(/[,:;(–—]|\s-\s/)[0]!
    .trim()
  return head.length >= 2 && head.split(/\s+/).length <= 10 ? head : null
}

/** Right in front of the name: a no that stands farther off often means something else. */
const away =
  /(?:\b(?:not use|never use|no longer use|no|without|stop using|drop|remove|retire|abandon|avoid|replace|reject|instead of|rather than|away from|migrate from|switch from|swap(?: out)?)|n't use)\s+(?:(?:the|our|all)\s+)*$/i

/** What a sentence does with a name that it has as a whole: null where it does not have it, or only talks about it. */
function stanceOn(name: string, sentence: string): 'picks' | 'drops' | null {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu').exec(sentence)
  if (!found) return null
  if (away.test(sentence.slice(0, found.index))) return 'drops'
  return talks.test(sentence) || anyNo.test(sentence) ? null : 'picks'
}

/** Measuring or documenting a thing is no choice of it. */
const talks = /^\W*(?:measure|document|describe|compare|evaluate|explain|investigate|test|list)\b|\?\s*$/i

// --- Statements by their words.

function byStatement(sentence: Sentence, adr: Adr, own: readonly OwnStatement[]): Evidence | null {
  const proposed = sentence.words
  for (const one of own) {
    if (one.isOption || !isOrder(one, adr)) continue
    const decided = one.words
    if (decided.content.length < 2) continue
    const shared = decided.content.filter((word) => proposed.content.includes(word)).length
    if (one.role !== 'refused' && !proposed.hasNo && !decided.hasNo && isExchanged(proposed, decided))
      return evidence('other-option', sentence, one)
    if (shared / decided.content.length < nearlyAll) continue
    if (one.role === 'refused' && !proposed.hasNo && shared / proposed.content.length >= most)
      return evidence('picks-rejected', sentence, one)
    const isTurned = (proposed.isNo && !decided.hasNo) || (decided.isNo && !proposed.hasNo)
    if (one.role !== 'refused' && isTurned && shared === proposed.content.length)
      return evidence('negates-chosen', sentence, one)
  }
  return null
}

const nearlyAll = 0.75
const most = 0.6

/** A title, or a sentence of the decision that orders something: the others explain. */
function isOrder({ role, text }: Statement, { status }: Adr): boolean {
  if (role === 'title' || status === 'rejected') return true
  return role === 'said' && orders.test(text) && !weighs.test(text)
}

const orders =
  /\b(?:we|it|all|every|the team)\b.*\b(?:will|shall|must|use|adopt|choose|chose|decided)\b|^\W*(?:use|adopt|keep|write|deploy|store|send|deliver|sign|run|build)\b/i
const weighs =
  /\?|\b(?:could|might|may|would|consider\w*|alternativ\w*|however|although|but|unless|if|until|previously|used to|was|were)\b/i

/** "Use X for C" beside "Use Y for C": the same sentence but for the name after the verb. */
function isExchanged(proposed: Words, decided: Words): boolean {
  const [said, own] = [proposed.all, decided.all]
  if (said.length !== own.length) return false
  const differing = said.flatMap((word, i) => (word === own[i] ? [] : [i]))
  const [at] = differing
  if (differing.length !== 1 || at === undefined) return false
  const tells = (word: string) => !isStopWord(word) && !littleSaid.has(word)
  return (
    tells(said[at]!) && tells(own[at]!) && !said.slice(0, at).some(tells) && said.slice(at + 1).some(tells)
  )
}

/** Only what a record chose can be agreed with: its title or its chosen option, all of it and nothing else. */
function sameChoice(sentence: Sentence, adr: Adr, own: readonly OwnStatement[]): Evidence | null {
  if (adr.status === 'rejected') return null
  const proposed = sentence.words
  const same = own.find((one) => {
    const isChoice = one.role === 'title' || one.role === 'chosen' || isOrder(one, adr)
    return isChoice && one.words.isNo === proposed.isNo && isSame(proposed, one.words)
  })
  return same ? { ...evidence('same-choice', sentence, same), verdict: 'supports' } : null
}

function isRepeated(sentence: Sentence, { words, role }: OwnStatement): boolean {
  return role !== 'refused' && isSame(sentence.words, words)
}

function isSame({ all: a }: Words, { all: b }: Words): boolean {
  return a.length > 1 && a.length === b.length && a.every((word, i) => word === b[i])
}

interface Words {
  /** Stems in order, without "we will". */
  all: string[]
  /** Those that tell something: no stop words, verbs of choice or negations. */
  content: string[]
  /** It begins with a no, which turns all of it round. */
  isNo: boolean
  /** It has a no somewhere. */
  hasNo: boolean
}

function wordsOf(text: string): Words {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(
      /^\W*(?:we|the team|it was|it has been)\s+(?:(?:will|shall|must|should)|(?:have\s+)?(?:decided|agreed|chosen)\s+to)\s+/i,
      '',
    )
  const all = wholeTerms(plain)
  return {
    all,
    content: all.filter((word) => !isStopWord(word) && !littleSaid.has(word)),
    isNo: no.test(plain),
    hasNo: anyNo.test(plain),
  }
}

/** A compound (`gRPC`, `on-call`) counts as one word. */
function wholeTerms(text: string): string[] {
  let end = 0
  return terms(text).flatMap((one) => {
    if (one.start < end) return []
    if (one.whole) end = one.end
    return [one.term]
  })
}

const littleSaid = new Set([
  'use',
  'adopt',
  'stop',
  'drop',
  'never',
  'not',
  'no',
  'avoid',
  'remov',
  'without',
])
const no = /^\W*(?:do not|don't|not|never|no|no longer|stop|avoid|drop|remove|without)\b(?!.*;)/i

const anyNo = /\b(?:not|never|no|without|stop|drop|avoid|remove|instead|rather)\b|n't\b/i

function evidence(rule: Rule, { text: proposal }: Sentence, statement: Statement): Evidence {
  return { rule, verdict: 'conflicts', strength: 1, proposal, ...quoteOf(statement) }
}
