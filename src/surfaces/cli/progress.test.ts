import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { IndexProgress } from '../../model/reports.js'
import type { Context } from './context.js'
import { type Clock, showProgress } from './progress.js'

/** A clock that a test turns by hand. */
function clockByHand() {
  let now = 0
  let due: { at: number; call: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    after(ms, call) {
      const timer = { at: now + ms, call }
      due.push(timer)
      return () => {
        due = due.filter((one) => one !== timer)
      }
    },
  }
  const turn = (ms: number) => {
    now += ms
    const ready = due.filter(({ at }) => at <= now)
    due = due.filter(({ at }) => at > now)
    for (const { call } of ready) call()
  }
  return { clock, turn, waiting: () => due.length }
}

function watch({ terminal = true, columns = 80, quiet = false, env = {} }) {
  const written: string[] = []
  const err = { write: (text: string) => void written.push(text), isTTY: terminal, columns }
  const hand = clockByHand()
  const progress = showProgress({ err, env } as unknown as Context, { quiet, color: false }, hand.clock)
  return { ...hand, progress, written, drawn: () => written.map((text) => text.replace('\r\x1b[2K', '')) }
}

const reading = (done: number, total = 1000): IndexProgress => ({
  phase: 'reading',
  subject: 'docs',
  done,
  total,
  chunks: done * 8,
  bytes: done * 1000,
})

describe('on a terminal', () => {
  test('draws over one line with bar, count, rate and time left', () => {
    const { progress, turn, drawn } = watch({ columns: 100 })
    progress.update(reading(0))
    turn(1000)
    progress.update(reading(250))
    assert.deepEqual(drawn(), [
      `Reading docs  ${'░'.repeat(30)}  0/1,000 files`,
      `Reading docs  ${'█'.repeat(8)}${'░'.repeat(22)}  250/1,000 files  250/s  3.0 s left`,
    ])
  })

  test('draws at most ten times a second, and the latest in the end', () => {
    const { progress, turn, drawn } = watch({})
    for (let i = 0; i < 1000; i++) {
      progress.update(reading(i))
      turn(1)
    }
    turn(100)
    assert.ok(drawn().length <= 11, `${drawn().length} times`)
    assert.match(drawn().at(-1)!, /999\/1,000/)
  })

  test('forgets a slow start', () => {
    const { progress, turn, drawn } = watch({})
    progress.update(reading(0, 100_000))
    turn(60_000)
    for (let i = 1; i <= 200; i++) {
      progress.update(reading(i * 10, 100_000))
      turn(100)
    }
    assert.match(drawn().at(-1)!, / (9\d|10\d)\/s {2}1[56] min/)
  })

  test('leaves the line clean and draws no more', () => {
    const { progress, turn, written, waiting } = watch({})
    progress.update(reading(1))
    progress.update(reading(2))
    progress.end()
    const count = written.length
    assert.deepEqual([written.at(-1), waiting()], ['\r\x1b[2K', 0])
    turn(1000)
    progress.end()
    assert.equal(written.length, count)
  })

  for (const columns of [20, 40, 60, 200])
    test(`fits ${columns} columns`, () => {
      const { progress, turn, drawn } = watch({ columns })
      progress.update({ ...reading(0), subject: 'a rather long name of a source 資料資料資料資料資料' })
      turn(1000)
      progress.update({ ...reading(300), subject: 'a rather long name of a source 資料資料資料資料資料' })
      progress.say('x'.repeat(300))
      turn(1000)
      for (const line of drawn()) assert.ok(width(line) < columns, line)
    })

  test('shows control characters in a name without executing them', () => {
    const { progress, written } = watch({})
    progress.update({ ...reading(0), subject: 'a\x1b[31mb\nc' })
    assert.ok(!written[0]!.slice(5).includes('\x1b') && !written[0]!.includes('\n'))
  })
})

describe('on a pipe', () => {
  test('prints a line every five seconds at most', () => {
    const { progress, turn, written } = watch({ terminal: false })
    for (let i = 0; i < 120; i++) {
      progress.update(reading(i * 10, 10_000))
      turn(100)
    }
    assert.deepEqual(written, [
      'Reading docs: 500/10,000 files, 100/s, 1 min 35 s left\n',
      'Reading docs: 1,000/10,000 files, 100/s, 1 min 30 s left\n',
    ])
  })

  test('estimates nothing from a single file that took long', () => {
    const { progress, turn, written } = watch({ terminal: false })
    progress.update(reading(0, 106))
    turn(5000)
    progress.update(reading(1, 106))
    turn(5000)
    progress.update(reading(61, 106))
    assert.deepEqual(written, [
      'Reading docs: 1/106 files\n',
      'Reading docs: 61/106 files, 6/s, 7.0 s left\n',
    ])
  })

  test('prints a line each minute when single items take long', () => {
    const { progress, turn, written } = watch({ terminal: false })
    for (let i = 0; i <= 12; i++) {
      progress.update(reading(i, 20))
      turn(6000)
    }
    assert.equal(written[3], 'Reading docs: 4/20 files\n')
    assert.equal(written[4], 'Reading docs: 5/20 files, 10/min, 1 min 30 s left\n')
    assert.equal(written.at(-1), 'Reading docs: 12/20 files, 10/min, 48 s left\n')
  })

  test('reports a wait at once', () => {
    const { progress, written } = watch({ terminal: false })
    const waiting: IndexProgress = { ...reading(0, 0), phase: 'waiting', subject: 'process 77 on desk' }
    progress.update(waiting)
    progress.update(waiting)
    assert.deepEqual(written, ['Waiting for process 77 on desk\n'])
  })

  test('draws no bar on a dumb terminal', () => {
    const { progress, written } = watch({ env: { TERM: 'dumb' } })
    progress.update(reading(1))
    progress.end()
    assert.deepEqual(written, [])
  })
})

test('--quiet prints nothing', () => {
  const { progress, turn, written } = watch({ quiet: true })
  progress.update(reading(1))
  turn(10_000)
  progress.say('hello')
  progress.end()
  assert.deepEqual(written, [])
})

function width(text: string): number {
  return [...text].reduce((columns, character) => columns + (/[\u4e00-\u9fff]/.test(character) ? 2 : 1), 0)
}
