// Export, import and the setting for folders, as somebody types them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot, temporaryFolder } from '../support/world.js'

interface Ran {
  code: number
  out: string
  err: string
}

function carrel(cwd: string, ...args: string[]): Promise<Ran> {
  const launcher = join(projectRoot, 'bin/carrel.mjs')
  const env = { ...process.env, XDG_CONFIG_HOME: join(cwd, 'none'), CARREL_EMBEDDING_PROVIDER: 'none' }
  return new Promise((resolve) =>
    execFile(process.execPath, [launcher, ...args], { cwd, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    ),
  )
}

test('a source travels from one project to another, and a broken file is refused', async (t) => {
  const folder = temporaryFolder(t)
  for (const name of ['one', 'two', 'papers']) mkdirSync(join(folder, name))
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  for (const root of [one, two]) writeFileSync(join(root, 'carrel.json'), '{}')
  writeFileSync(join(folder, 'papers/heron.txt'), 'The heron stands in the reeds.\n')

  const add = JSON.stringify({ action: 'create', file_path: join(folder, 'papers/heron.txt') })
  const refused = await carrel(one, 'tool', 'manage_document', add)
  assert.equal(refused.code, 1)
  assert.match(refused.out, /outside the folders/)
  const added = await carrel(
    one,
    'tool',
    'manage_document',
    add,
    '--set',
    `uploadFolders=${join(folder, 'papers')}`,
  )
  assert.match(added.out, /ingested successfully/, added.err)

  writeFileSync(join(two, 'carrel.json'), JSON.stringify({ uploadFolders: ['../papers'] }))
  const widened = await carrel(two, 'status')
  assert.equal(widened.code, 2)
  assert.match(widened.err, /upload folder "\.\.\/papers" .* lies outside the root/)
  writeFileSync(join(two, 'carrel.json'), '{}')

  const written = await carrel(one, 'export', 'Uploads', '../uploads.gz')
  assert.match(written.out, /^Wrote 1 document and 0 vectors of Uploads to .*uploads\.gz/, written.err)
  const result = await carrel(two, 'import', '../uploads.gz')
  assert.match(
    result.out,
    /^Uploads \(src_uploads\): 1 added, 0 updated, 0 unchanged, 0 removed, 0 failed/,
    result.err,
  )
  const found = await carrel(two, 'search', 'heron', '--json')
  assert.match(found.out, /reeds/)
  const again = await carrel(two, 'import', '../uploads.gz')
  assert.deepEqual([again.code, /--replace/.test(again.err)], [1, true])

  writeFileSync(join(folder, 'broken.gz'), 'no bundle')
  const broken = await carrel(two, 'import', '../broken.gz', '--replace')
  assert.equal(broken.code, 1)
  assert.match(broken.err, /Nothing was changed/)
})

test('a crawl that cannot begin is answered with the command to type', async (t) => {
  const root = temporaryFolder(t)
  writeFileSync(join(root, 'carrel.json'), '{}')
  for (const [args, code, next] of [
    [['docs.example.com'], 2, 'for example: carrel crawl https://docs.example.com/'],
    [
      ['http://127.0.0.1:8080/'],
      1,
      'Name another site, or allow private addresses with --allow-private-network',
    ],
    [['https://docs.example.com/', '--source', 'none'], 1, '"carrel list" shows the sources'],
  ] as const) {
    const result = await carrel(root, 'crawl', ...args)
    assert.equal(result.code, code)
    assert.ok(result.err.includes(next), result.err)
    assert.doesNotMatch(result.err, /ask the user|manage_|url=/)
  }
})
