import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ledger } from './ledger.js'
import { type BufferedPage, pageBuffer } from './page-buffer.js'

const pageAt = (path: string) =>
  ({ document: { ref: { path }, text: 'x' }, row: {}, records: [] }) as never as BufferedPage

test('while pages are written slowly, only one more batch is read', async () => {
  const written: string[] = []
  const doors: (() => void)[] = []
  const ledger = { tally: { documents: 0 }, move() {}, async flush() {} } as never as Ledger
  const { put, flush, holds } = pageBuffer(
    async (pages) => {
      await new Promise<void>((resolve) => doors.push(resolve))
      written.push(...pages.map(({ document }) => document.ref.path))
    },
    ledger,
    (error) => assert.fail(String(error)),
  )
  let read = 0
  const readers = Array.from({ length: 4 }, async () => {
    while (read < 200) await put(pageAt(`/${read++}`))
  })
  for (let i = 0; i < 20; i++) await nextTurn()
  assert.ok(read >= 24 && read < 60, `${read} pages were read while none was written`)
  assert.ok(holds('/0'))
  const all = Promise.all(readers).then(flush)
  const opening = setInterval(() => doors.shift()?.())
  await all
  clearInterval(opening)
  assert.equal(new Set(written).size, read)
  assert.equal(written.length, read)
  assert.ok(!holds('/0'))
})
