import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { readAdr } from '../../parse/adr/parse-adr.js'
import { openReadings } from './decision-readings.js'

const text = '# 1. Keep jobs in the database\n\n**Status:** accepted\n\n## Decision\nJobs are rows.\n'
const reading = readAdr('docs/adr/0001-jobs.md', text)

describe('what decisions say', () => {
  test('is there for the next process', (t) => {
    const data = savedReadings(t)
    assert.deepEqual(open(data).get('one'), reading)
  })

  test('is not used by another build', (t) => {
    const data = savedReadings(t)
    assert.equal(openReadings({ settings: { data }, build: 'other' }).get('one'), undefined)
  })

  test('is not used when it is damaged', (t) => {
    const data = savedReadings(t)
    const file = join(data, 'decisions.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('Jobs are rows', 'Jobs are files'))
    assert.equal(open(data).get('one'), undefined)
  })

  test('is kept for documents that are still there', (t) => {
    const data = savedReadings(t)
    const again = open(data)
    again.set('two', reading)
    again.keep(new Set(['two']))
    assert.equal(open(data).get('one'), undefined)
    assert.deepEqual(open(data).get('two'), reading)
  })

  test('is not kept where there is no folder', () => {
    const data = join(tmpdir(), 'carrel-there-is-none')
    const readings = open(data)
    readings.set('one', reading)
    readings.keep(new Set(['one']))
    assert.deepEqual(readings.get('one'), reading)
  })
})

function open(data: string) {
  return openReadings({ settings: { data }, build: '1' })
}

function savedReadings(t: TestContext): string {
  const data = mkdtempSync(join(tmpdir(), 'carrel-readings-'))
  t.after(() => rmSync(data, { recursive: true }))
  const readings = open(data)
  readings.set('one', reading)
  readings.keep(new Set(['one']))
  return data
}
