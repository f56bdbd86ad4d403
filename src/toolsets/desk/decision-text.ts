// `check_decision` in words: for each record that bears on a proposal what it chose and rejected, in its own words. The
// agent judges; our verdict is a hint.
import { wholeCharacters } from '../../text/truncate.js'

/** A record beside a proposal, as the desk shows it. */
export interface BearingDecision {
  id: string
  title: string
  /** As `read` takes it. */
  path: string
  status: string
  verdict: 'supports' | 'conflicts' | 'related'
  successors: { id: string; title: string; path: string }[]
  chose: string
  rejected: string[]
}

const mostCharacters = 2_000
const mostRecords = 5

export function decisionText(decisions: readonly BearingDecision[], notes: readonly string[]): string {
  const tail = notes.map((note) => `Note: ${note}`)
  if (decisions.length === 0) return ['No recorded decision bears on this.', ...tail].join('\n')
  const shown = decisions.slice(0, mostRecords)
  const room = Math.floor((mostCharacters - tail.join('\n').length - 60) / shown.length)
  const rest = decisions.length - shown.length
  return [
    ...shown.map((one) => recordText(one, room)),
    ...(rest > 0 ? [`…+${rest} more that may be related`] : []),
    ...tail,
  ].join('\n')
}

function recordText(decision: BearingDecision, room: number): string {
  const { id, title, path, status, verdict, successors, chose, rejected } = decision
  const replaced = successors.map((one) => `${one.id} ${one.title} (${one.path})`).join(', ')
  const head = `${id} ${wholeCharacters(title, 100)} (${status}${replaced && `, replaced by ${replaced}`}) ${path}; hint: ${hints[verdict]}`
  const left = Math.max(80, room - head.length - 20)
  const refused = rejected.join('; ')
  const forChoice = refused === '' ? left : Math.floor(left * 0.65)
  return [
    head,
    ...(chose === '' ? [] : [`  chose: ${shortened(chose, forChoice)}`]),
    ...(refused === ''
      ? []
      : [`  rejected: ${shortened(refused, left - Math.min(forChoice, chose.length))}`]),
  ].join('\n')
}

const hints = { supports: 'agrees', conflicts: 'conflicts', related: 'related' }

function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${wholeCharacters(line, Math.max(20, most - 1)).trimEnd()}…`
}
