// Whatever path is asked for, nothing outside the root and nothing denied is ever read.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { deniedSegment, neverRead, refusalOfPath } from '../../src/sources/path-rules.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { hostilePaths, links, marker, windowsNames } from './hostile-paths.js'
import { reading } from './reading.js'

const posix = process.platform !== 'win32'
const world = await toolsetWorld(reading, {
  embedding: false,
  files: { 'src/a.ts': 'export {}\n', 'docs/guide.md': '# Guide\n', 'package.json': '{}' },
  folders: { all: { path: '.' }, docs: { path: 'docs' } },
})
const sockets = createServer()
after(() => world.close())
after(() => sockets.close())

/** Secrets wherever a weaker guard would look, under the very names that are asked for. */
async function plant() {
  const { root } = world
  writeFileSync(join(root, '../secret.txt'), marker)
  mkdirSync(join(root, 'empty'), { recursive: true })
  for (const { class: kind, path } of hostilePaths)
    if (kind !== 'linked' && deniedSegment(path) !== null) plantAt(join(root, path), root)
  for (const path of ['.env', '.git/config', 'node_modules/x/index.js', 'src/.env', 'src/auth/.env.local'])
    plantAt(join(root, path), root)
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    symlinkSync(target.replace('{outside}', dirname(root)), join(root, name))
  }
  spawnSync('mkfifo', [join(root, 'pipe')])
  await new Promise<void>((resolve) => sockets.listen(join(root, 'socket'), resolve))
}

// As far as the file system has such names. A name that would leave the root is left out: its secret is there already.
function plantAt(file: string, root: string) {
  if (!file.startsWith(`${root}/`) || file.includes('\0')) return
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, marker)
  } catch {
    // A folder of that name, or a name it does not take.
  }
}

test('none of at least 200 hostile paths is read', { skip: !posix && 'makes links and pipes' }, async () => {
  await plant()
  const paths = [...new Map(hostilePaths.map((one) => [one.path, one])).values()]
  assert.ok(paths.length >= 200, `${paths.length} distinct paths`)
  for (const { class: kind, path } of paths) {
    const answer = await world.call('read_file', { path, includeDeps: true })
    const shown = `${kind}: ${JSON.stringify(path.slice(0, 100))}`
    assert.equal(answer.isError, true, `${shown} was read: ${answer.text.slice(0, 200)}`)
    assert.ok(!answer.text.includes(marker), `${shown} gave the secret away`)
    assert.doesNotMatch(answer.text, /root:x:|PATH=/, shown)
  }
})

test('the same paths lead nowhere through imports', { skip: !posix && 'needs the links' }, async () => {
  const specifiers = hostilePaths
    .map(({ path }) => path)
    .filter((path) => !/[\0\r\n'\\]/.test(path) && path.length < 2_000)
  const lines = specifiers.flatMap((path) => [`import '${path}'`, `import './${path}'`])
  writeFileSync(join(world.root, 'src/hostile.ts'), `${lines.join('\n')}\n`)
  writeFileSync(join(world.root, 'src/hostile.c'), specifiers.map((path) => `#include "${path}"`).join('\n'))
  for (const path of ['src/hostile.ts', 'src/hostile.c']) {
    const { dependencies } = await world.ask<{ dependencies: { path: string; content?: string }[] }>(
      'read_file',
      {
        path,
        includeDeps: true,
      },
    )
    for (const { path: found, content } of dependencies) {
      assert.equal(refusalOfPath(found), null, found)
      assert.ok(!found.startsWith('../') && !found.startsWith('/'), found)
      assert.ok(!content?.includes(marker), found)
    }
  }
})

test('names that Windows takes for devices and streams are refused there', () => {
  for (const path of windowsNames) assert.notEqual(refusalOfPath(path, 'win32'), null, path)
  for (const path of ['src/a.ts', 'constant.ts', 'console/nullable.ts', 'com.ts', '.github/x.yml', 'a b.md'])
    assert.equal(refusalOfPath(path, 'win32'), null, path)
})

test('a stream of a file that holds secrets is that file', () => {
  for (const path of [
    'server.key::$DATA',
    'a/id_rsa:x',
    'credentials.json:s:$DATA',
    '.ssh::$INDEX_ALLOCATION/x',
  ])
    assert.notEqual(neverRead(path), null, path)
  for (const path of ['a.md:x', 'keys: which ones.md']) assert.equal(neverRead(path), null, path)
})

test('no path that is let through has a denied segment or climbs, whatever it is made of', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '.env',
      '.git',
      'node_modules',
      ':',
      ' ',
      '\u200c',
      'E',
      '．',
      '／',
      '%2e',
      'src',
      '~1',
      '\0',
    ),
    fc.string({ maxLength: 4 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = pieces.join('')
      if (refusalOfPath(path) !== null) return
      for (const segment of path.normalize('NFKC').split(/[\\/]/)) {
        assert.ok(segment.trim() !== '..')
        assert.ok(!/^(?:\.git|node_modules|\.env|\.env\..*)$/i.test(segment.trim()))
      }
      assert.ok(!/^[\\/]/.test(path))
    }),
    { seed: 11, numRuns: 2_000 },
  )
})
