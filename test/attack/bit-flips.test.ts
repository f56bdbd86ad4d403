import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/world.js'
import type { Outcome } from './flip-child.js'

const program = fileURLToPath(new URL('./flip-child.js', import.meta.url))

/** Rejects when the flips do not come to an end. */
async function flips(t: TestContext, what: string): Promise<Outcome[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, what, join(temporaryFolder(t), 'flips')],
    { timeout: 120_000, killSignal: 'SIGKILL', maxBuffer: 1e8 },
  )
  return JSON.parse(stdout) as Outcome[]
}

function noneOf(outcomes: Outcome[], wrong: (outcome: Outcome) => boolean) {
  assert.deepEqual(outcomes.filter(wrong).slice(0, 5), [])
}

const isKnown = ({ answer }: Outcome) => ['same', 'different', 'problem'].includes(answer)

const isKey =
  /^(spaces\.model|vectors\.space|vectors\.chunk|signs\.space|records\.kind|records\.id|blocks\.segment|blocks\."first"):/

describe('a flipped bit', { concurrency: 2 }, () => {
  test('or a cut never hangs a decoder, and undecodable bytes are a Problem', async (t) => {
    const outcomes = await flips(t, 'decoders')
    assert.ok(outcomes.length > 3_000, `${outcomes.length} flips and cuts`)
    noneOf(outcomes, (outcome) => !isKnown(outcome))
    noneOf(outcomes, ({ what, answer }) => /^directory, cut/.test(what) && answer !== 'problem')
  })

  test('in any row is noticed by the audit, and never changes an answer', async (t) => {
    const outcomes = await flips(t, 'rows')
    assert.ok(outcomes.length > 180, `${outcomes.length} flips`)
    noneOf(outcomes, (outcome) => !isKnown(outcome))
    noneOf(outcomes, ({ damage }) => damage.length === 0)
    // A row under another key is not found under its own, and only who reads all of them can tell.
    noneOf(outcomes, ({ what, answer }) => answer === 'different' && !isKey.test(what))
  })

  test('anywhere in the file is noticed by the audit where it changes an answer', async (t) => {
    const outcomes = await flips(t, 'pages')
    assert.ok(outcomes.length >= 320, `${outcomes.length} flips`)
    noneOf(outcomes, (outcome) => !isKnown(outcome))
    noneOf(outcomes, ({ answer, damage }) => answer !== 'same' && damage.length === 0)
  })

  test('in the journal of records loses one line, which is reported, and never makes another record', async (t) => {
    const outcomes = await flips(t, 'journal')
    assert.ok(outcomes.length > 500, `${outcomes.length} flips`)
    noneOf(outcomes, ({ answer }) => answer === 'different')
    noneOf(outcomes, ({ answer, damage }) => answer === 'problem' && damage.length === 0)
  })

  test('in the journal of a rename is a Problem, and nothing else is written into notes', async (t) => {
    const outcomes = await flips(t, 'renames')
    assert.ok(outcomes.length > 1_000, `${outcomes.length} flips`)
    noneOf(outcomes, ({ answer }) => answer !== 'same' && answer !== 'problem')
  })
})
