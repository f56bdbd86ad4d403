// check-adr-alignment with a model that reads proposal and record together. What it says is made up here: the real one is
// tested in src/embed/entail, and how well it does in evals.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Entailment, Stand } from '../../src/embed/port.js'
import { checkAlignment } from '../../src/toolsets/architecture/alignment.js'
import { reasonOf, suggestionsOf } from '../../src/toolsets/architecture/alignment-text.js'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'

const adr = (title: string, decision: string) =>
  `# ${title}\n\n## Status\n\nAccepted\n\n## Context\n\nWe had to choose.\n\n## Decision\n\n${decision}\n`
const files = {
  'docs/adr/0001-logging.md': adr(
    'Logging',
    'Nothing in a log may identify a rider. Logs are kept for a week.',
  ),
  'docs/adr/0002-maps.md': adr('Maps', 'Maps are drawn on the server.'),
}
const world = await toolsetWorld(architecture, { files })
after(() => world.close())

const clear: Stand = { against: 0.97, along: 0.01, beside: 0.02 }
const none: Stand = { against: 0.01, along: 0.01, beside: 0.98 }

function check(description: string, stand: (decision: string) => Stand) {
  const entailment: Entailment = {
    model: 'made up',
    compare: async (pairs) => pairs.map(([, decision]) => stand(decision)),
    close: async () => {},
  }
  return checkAlignment({ ...world.library, entailment }, { description })
}

const proposal = 'Print the phone number of the rider in the log at debug level.'

test('a contradiction found by reading is a conflict with both sentences', async () => {
  const { decisions } = await check(proposal, (sentence) => (sentence.includes('identify') ? clear : none))
  const [first] = decisions
  assert.deepEqual(
    [first?.decision.title, first?.alignment, first?.evidence?.rule],
    ['Logging', 'conflicts', 'goes-against'],
  )
  assert.equal(first!.evidence!.decision, 'Nothing in a log may identify a rider.')
  assert.equal(first!.evidence!.proposal, proposal)
})

test('a proposal that follows a record is support, unless a sentence of the record contradicts it', async () => {
  const follows: Stand = { against: 0.01, along: 0.97, beside: 0.02 }
  const doubtful: Stand = { against: 0.45, along: 0.1, beside: 0.45 }
  const verdict = async (text: string, another: Stand) => {
    const { decisions } = await check(text, (sentence) => (sentence.includes('identify') ? follows : another))
    const found = decisions.find(({ decision }) => decision.title === 'Logging')
    return [found?.alignment, found?.evidence?.rule, found?.evidence?.decision]
  }
  const plain = 'Write no phone number of a rider into the log'
  assert.deepEqual(await verdict(plain, none), [
    'supports',
    'goes-along',
    'Nothing in a log may identify a rider.',
  ])
  assert.equal((await verdict(plain, doubtful))[0], 'related')
  assert.equal((await verdict(`${plain}. Print all else in one line.`, none))[0], 'related')
  assert.equal((await verdict(`${plain}, and print all else${' in one line'.repeat(5)}`, none))[0], 'related')
})

test('without a contradiction there is no conflict, and a relevant record is listed however far it is', async () => {
  const far = 'Count bees.'
  const alignments = ({ decisions }: Awaited<ReturnType<typeof check>>) =>
    decisions.map(({ decision, alignment }) => `${decision.title} ${alignment}`)
  assert.ok(!alignments(await check(proposal, () => none)).includes('Logging conflicts'))
  assert.deepEqual(alignments(await check(far, () => none)), [])
  const half: Stand = { against: 0.3, along: 0.3, beside: 0.4 }
  assert.deepEqual(alignments(await check(far, (sentence) => (sentence.startsWith('Maps') ? half : none))), [
    'Maps related',
  ])
})

test('a related record is quoted with its most relevant or nearest sentence', async () => {
  const quoted = async (stand: (sentence: string) => Stand) => {
    const { decisions } = await check(proposal, stand)
    return reasonOf(decisions.find(({ decision }) => decision.title === 'Logging')!)
  }
  const half: Stand = { against: 0.35, along: 0.35, beside: 0.3 }
  const faint: Stand = { against: 0.28, along: 0.27, beside: 0.45 }
  assert.match(
    await quoted((sentence) => (/kept/.test(sentence) && !/identify/.test(sentence) ? half : faint)),
    /^It is about a related matter\. Nearest to the proposal, it says "[^"]*kept[^"]*" \(line \d+\)\.$/,
  )
  assert.match(
    await quoted(() => faint),
    /^It is about a related matter\. Nearest to the proposal, it says ".+"/,
  )
})

test('if the model does not answer, the rules decide, with a note', async () => {
  const entailment: Entailment = {
    model: 'made up',
    compare: () => Promise.reject(new Error('It is gone.')),
    close: async () => {},
  }
  const { notes } = await checkAlignment({ ...world.library, entailment }, { description: proposal })
  assert.match(notes.map(({ message }) => message).join(' '), /by words alone: It is gone\./)
})

test('while no decision is indexed, the answer does not claim that none is relevant', async () => {
  const empty = await toolsetWorld(architecture, { files, indexed: false })
  after(() => empty.close())
  const answer = await checkAlignment(empty.library, { description: proposal })
  assert.match(suggestionsOf(answer)[0]!, /^Ask again once all records are indexed/)
  const bare = await toolsetWorld(architecture, { files: { 'a.md': '# A\n' } })
  after(() => bare.close())
  const none = await checkAlignment(bare.library, { description: proposal })
  assert.match(suggestionsOf(none)[0]!, /^No decision was found that is about this/)
})
