// Proposals with the verdict a reader would give, each about one record of ../shared/data/adr or of libraries.
import { readFileSync } from 'node:fs'
import { archivedFiles } from '../../alignment-data.js'

export const labels = ['supports', 'conflicts', 'related', 'unrelated'] as const
export type Label = (typeof labels)[number]

export interface LabelledProposal {
  proposal: string
  /** Path of the record below ../shared/data/adr, or below libraries. */
  adr: string
  label: Label
  /** Written plainly, with the same words and another meaning, or with other words and the same meaning. */
  kind: 'plain' | 'same-words' | 'other-words'
  /**
   * Held out: run once, before the last changes. Final: written after that run, and run once after them. Unseen and
   * unseen-2: written from the records alone by somebody who had not read the rules. Unseen-3: written by the same
   * person after reading them, mostly half agreements, and run once after the last mending. Weights: written for the
   * weights to be fitted on, with the rest. Check: written by the same person after that, and run once. Unseen-4 and
   * unseen-5: written from the records alone, by somebody who knew neither rules nor proposals, and run once. Everyday:
   * short orders to replace one thing by another, which the exchanges were then written for; everyday-2: short orders of
   * all kinds, run once after that. Unseen-6 to unseen-8: what somebody is about to do, by three authors who knew nothing
   * of all this; the last two over records of their own. Unseen-9, 10, 12, 13 and 15: the same by five more,
   * over records of their own. Unseen-11 and unseen-14: the same by two others, over records of ../shared/data/adr. Plain-1
   * to plain-4: short and plain, as many supports as conflicts, by four more; all but the first over records of their own.
   * Unseen-16 to unseen-18: over records of ../shared/data/adr by three more, half of it plain and half to mislead, as the
   * first set was to be.
   */
  split:
    | 'develop'
    | 'held-out'
    | 'final'
    | 'unseen'
    | 'unseen-2'
    | 'unseen-3'
    | 'weights'
    | 'check'
    | 'unseen-4'
    | 'unseen-5'
    | 'everyday'
    | 'everyday-2'
    | 'unseen-6'
    | 'unseen-7'
    | 'unseen-8'
    | 'unseen-9'
    | 'unseen-10'
    | 'unseen-11'
    | 'unseen-12'
    | 'unseen-13'
    | 'unseen-14'
    | 'unseen-15'
    | 'unseen-16'
    | 'unseen-17'
    | 'unseen-18'
    | 'plain-1'
    | 'plain-2'
    | 'plain-3'
    | 'plain-4'
  /** Other records that it contradicts as well, or may be said to. */
  also?: string[]
}

const file = 'sets/adr/alignment.jsonl'

export function labelledProposals(): LabelledProposal[] {
  return parsed(archivedFiles(file).get(file)!, file)
}

/** A set kept elsewhere, in the same form: one proposal a line. */
export function proposalsIn(path: string): LabelledProposal[] {
  return parsed(readFileSync(path, 'utf8'), path)
}

function parsed(text: string, path: string): LabelledProposal[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      const one = JSON.parse(line) as LabelledProposal
      if (typeof one.proposal !== 'string' || typeof one.adr !== 'string' || !labels.includes(one.label))
        throw new Error(`${path}:${i + 1} is not a labelled proposal.`)
      return one
    })
}
