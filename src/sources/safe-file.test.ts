import assert from 'node:assert/strict'
import fs, {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { proven, type ReadRules, readInside } from './safe-file.js'

const secret = 'OUTSIDE'
const rules: ReadRules = {
  maxBytes: 1_000,
  followLinks: true,
  forbids: (path) => (path.startsWith('denied/') ? 'denied' : null),
}
const skip = process.platform === 'win32' && 'links need rights there'

/** `project/` with a file, `denied/` in it and `outside/` beside it, each with a file of the same name. */
function stage(t: TestContext) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-safe-')))
  t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }))
  for (const folder of ['project/src', 'project/denied', 'outside'])
    mkdirSync(join(base, folder), { recursive: true })
  writeFileSync(join(base, 'project/src/a.txt'), 'inside')
  writeFileSync(join(base, 'project/denied/a.txt'), secret)
  writeFileSync(join(base, 'outside/a.txt'), secret)
  return { base, root: join(base, 'project') }
}

function textOf(read: ReturnType<typeof readInside>): string {
  return 'bytes' in read ? Buffer.from(read.bytes).toString() : read.why
}

test('reads files inside, through links that stay inside if links may be followed', { skip }, (t) => {
  const { root } = stage(t)
  symlinkSync('src/a.txt', join(root, 'link'))
  symlinkSync('../outside/a.txt', join(root, 'out'))
  symlinkSync('denied', join(root, 'src/d'))
  assert.equal(textOf(readInside(root, 'src/a.txt', rules)), 'inside')
  assert.equal(textOf(readInside(root, 'link', rules)), 'inside')
  assert.equal(textOf(readInside(root, 'link', { ...rules, followLinks: false })), 'link')
  assert.equal(textOf(readInside(root, 'out', rules)), 'outside')
  assert.equal(textOf(readInside(root, 'denied/a.txt', rules)), 'denied')
  assert.equal(textOf(readInside(root, 'src', rules)), 'folder')
  assert.equal(textOf(readInside(root, 'src/b.txt', rules)), 'gone')
  assert.equal(textOf(readInside(root, 'src/a.txt', { ...rules, maxBytes: 5 })), 'large')
})

// Somebody who turns a folder, or a file, into a link and back as fast as he can.
const swapper = `
const { workerData, parentPort } = require('node:worker_threads')
const { renameSync } = require('node:fs')
const { stop, real, link, place } = workerData
const flag = new Int32Array(stop)
while (Atomics.load(flag, 0) === 0) {
  try { renameSync(place, real); renameSync(link, place) } catch {}
  try { renameSync(place, link); renameSync(real, place) } catch {}
}
parentPort.postMessage('done')
`

async function race(
  t: TestContext,
  { place, target, ms }: { place: string; target: string; ms: number },
): Promise<Map<string, number>> {
  const { base, root } = stage(t)
  symlinkSync(join(base, target), join(base, 'link'))
  const stop = new SharedArrayBuffer(4)
  const workerData = { stop, real: join(base, 'real'), link: join(base, 'link'), place: join(root, place) }
  const worker = new Worker(swapper, { eval: true, workerData })
  const done = new Promise((resolve) => worker.on('message', resolve))
  const seen = new Map<string, number>()
  const until = performance.now() + ms
  while (performance.now() < until) {
    const text = textOf(readInside(root, 'src/a.txt', rules))
    seen.set(text, (seen.get(text) ?? 0) + 1)
  }
  Atomics.store(new Int32Array(stop), 0, 1)
  await done
  await worker.terminate()
  return seen
}

for (const [what, place, target] of [
  ['a folder swapped for a link to another outside', 'src', 'outside'],
  ['a file swapped for a link to another outside', 'src/a.txt', 'outside/a.txt'],
  ['a folder swapped for a link to a denied one', 'src', 'project/denied'],
] as const)
  test(`${what} while it is read never wins`, { skip }, async (t) => {
    const seen = await race(t, { place, target, ms: 1_200 })
    assert.equal(seen.has(secret), false, JSON.stringify([...seen]))
    // The swapping did meet the reading: else nothing was tested.
    assert.ok(
      [...seen.keys()].some((text) => text !== 'inside'),
      JSON.stringify([...seen]),
    )
    assert.ok(seen.has('inside'), JSON.stringify([...seen]))
  })

test('without help of the kernel, the file itself is compared', { skip }, (t) => {
  const { base, root } = stage(t)
  const none = () => null
  const file = join(root, 'src/a.txt')
  const handle = openSync(file, 'r')
  t.after(() => closeSync(handle))
  assert.equal(proven(handle, file, none), true)
  const other = openSync(join(base, 'outside/a.txt'), 'r')
  t.after(() => closeSync(other))
  assert.equal(proven(other, file, none), false)
  renameSync(join(root, 'src'), join(base, 'moved'))
  symlinkSync(join(base, 'outside'), join(root, 'src'))
  assert.equal(proven(other, file, none), false, 'the same file, but through a link')
})

test('a volume whose number is longer by path than by handle is the same volume', (t) => {
  const { root } = stage(t)
  const file = join(root, 'src/a.txt')
  const handle = openSync(file, 'r')
  t.after(() => closeSync(handle))
  const { fstatSync, lstatSync } = fs
  const numbered = (stat: fs.BigIntStats, dev: bigint) => Object.assign(stat, { dev })
  t.after(() => {
    Object.assign(fs, { fstatSync, lstatSync })
    syncBuiltinESMExports()
  })
  const volume = { opened: 0xdeadbeefn, seen: 0x12345678deadbeefn }
  Object.assign(fs, {
    fstatSync: (one: number) => numbered(fstatSync(one, { bigint: true }), volume.opened),
    lstatSync: (one: string) => numbered(lstatSync(one, { bigint: true }), volume.seen),
  })
  syncBuiltinESMExports()
  assert.equal(
    proven(handle, file, () => null),
    true,
  )
  volume.seen = 0x12345678deadbee0n
  assert.equal(
    proven(handle, file, () => null),
    false,
  )
})
