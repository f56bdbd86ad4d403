// A comparison of a proposal with decisions, in words.
import type { Evidence, Quote, Rule } from '../../retrieve/alignment/evidence.js'
import { truncate } from '../../text/truncate.js'
import type { AlignedDecision, Alignment } from './alignment.js'
import type { Decision } from './decisions.js'

/** Why a record has its alignment: the rule and both sentences, or why there is no more to say. */
export function reasonOf(aligned: AlignedDecision): string {
  const { decision, alignment, evidence, nearest } = aligned
  const standing = standingOf(aligned)
  if (alignment === 'related' || !evidence)
    return ['It is about a related matter.', nearest && comesNearest(nearest), standing]
      .filter(Boolean)
      .join(' ')
  return [`${because[evidence.rule]}: ${sideBySide(evidence)}.`, standing, statusWarning(decision)]
    .filter(Boolean)
    .join(' ')
}

const because: Readonly<Record<Rule, string>> = {
  'same-choice': 'It makes the same choice',
  'negates-chosen': 'It turns down what was chosen',
  'picks-rejected': 'It picks what was turned down',
  'other-option': 'It picks something else for the same purpose',
  'goes-against': 'Read together, it goes against what was decided',
  'goes-along': 'Read together, it follows what was decided',
}

const longestQuote = 300

function sideBySide({ proposal, ...decided }: Evidence): string {
  return `the proposal says "${quoted(proposal)}", the decision ${quotedFrom(decided)}`
}

/** A reader may see a conflict here that was not recognised. */
function comesNearest(nearest: Quote): string {
  return `Nearest to the proposal, it ${quotedFrom(nearest)}.`
}

function quotedFrom({ decision, as, line }: Quote): string {
  return `${as === 'not chosen' ? 'did not choose' : 'says'} "${quoted(decision)}" (line ${line})`
}

function quoted(sentence: string): string {
  return truncate(sentence.replace(/\s+/g, ' ').trim(), longestQuote)
}

function standingOf({ decision, isReplaced, successors, fallen }: AlignedDecision): string {
  const { status, partly } = decision
  if (status === 'deprecated') return 'It is deprecated and binds nobody.'
  if (partly) return 'A part of it was superseded.'
  if (!isReplaced) return ''
  if (successors.length > 0)
    return `It was superseded; ${successors.map(nameOf).join(' and ')} ${successors.length > 1 ? 'hold' : 'holds'} instead.`
  return fallen.length > 0
    ? `It was superseded by ${fallen.map(withStatus).join(' and ')}: nothing holds instead.`
    : 'It was superseded, and no successor is among the records.'
}

function withStatus(decision: Decision): string {
  const { status } = decision
  const standing = status === 'proposed' ? 'only proposed' : status === 'draft' ? 'only a draft' : status
  return `${nameOf(decision)}, which is ${standing}`
}

function statusWarning({ status }: Decision): string {
  if (status === 'proposed') return 'The decision is only proposed so far.'
  if (status === 'draft') return 'The decision is only a draft so far.'
  return status === 'rejected' ? 'What the record proposed was rejected.' : ''
}

function nameOf({ number, id, title }: Decision): string {
  return number === null ? `"${title}"` : `ADR ${id} ("${title}")`
}

/** What to do next, most pressing first. */
export function suggestionsOf({ decisions, issues, notes }: Alignment): string[] {
  if (decisions.length === 0)
    return [
      notes.some(({ code }) => code === 'unread')
        ? 'Ask again once all records are indexed: what is not there yet cannot be compared.'
        : 'No decision was found that is about this. If it will be expensive to undo, record one.',
    ]
  const conflicts = decisions.filter(({ alignment }) => alignment === 'conflicts')
  const supports = decisions.filter(({ alignment }) => alignment === 'supports')
  const all = [
    ...conflicts.map(({ decision }) => onConflict(decision)),
    ...decisions.flatMap(onSuperseded),
    ...decisions.filter(({ decision }) => decision.status === 'deprecated').map(onDeprecated),
    ...(supports.length > 0 && conflicts.length === 0
      ? [`Cite ${supports.map(({ decision }) => nameOf(decision)).join(', ')} in the proposal.`]
      : []),
    ...issues.map((issue) => `Mend the records: ${issue}`),
  ]
  if (all.length === 0)
    return [
      'Whether it goes along with these was not recognised, which clears nothing: read them before you go on, or record a new decision.',
    ]
  return [...new Set(all)].slice(0, 8)
}

function onConflict(decision: Decision): string {
  const { status } = decision
  if (status === 'rejected')
    return `Say what changed since ${nameOf(decision)} was rejected, or change the proposal.`
  return status === 'proposed' || status === 'draft'
    ? `Settle ${nameOf(decision)} first: it is not accepted yet and says something else.`
    : `Change the proposal, or record a new decision that supersedes ${nameOf(decision)} and says what changed.`
}

function onDeprecated({ decision }: AlignedDecision): string {
  return `Find out why ${nameOf(decision)} was deprecated before you build on it.`
}

function onSuperseded({ decision, successors, fallen }: AlignedDecision): string[] {
  if (successors.length === 0)
    return fallen.map(
      (one) => `Settle what holds instead of ${nameOf(decision)}: it was superseded by ${withStatus(one)}.`,
    )
  return [
    `Go by ${successors.map(nameOf).join(' and ')} rather than ${nameOf(decision)}, which was superseded.`,
  ]
}
