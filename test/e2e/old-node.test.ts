// The messages for a user with an old Node, or with a fresh clone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { projectRoot, temporaryFolder } from '../support/world.js'

describe('an old Node', () => {
  for (const entry of ['bin/carrel.mjs', 'scripts/start.mjs', 'scripts/build.mjs'])
    for (const version of ['18.20.4', '20.18.1'])
      test(`${version} gets a sentence about its version from ${entry}`, (t) => {
        const { status, stdout, stderr } = runAs(t, version, join(projectRoot, entry))
        assert.equal(status, 1)
        assert.equal(stdout, '')
        assert.match(stderr, new RegExp(`^Carrel needs Node 20\\.19 or newer; this is ${version}\\. .*\\n$`))
      })

  test('reaches the check: all code before it is built in and has old syntax', () => {
    const check = readFileSync(join(projectRoot, 'bin/require-node.mjs'), 'utf8')
    assert.doesNotMatch(check, /^import|\?\?=|\.at\(|\bawait\b/m)
    for (const entry of ['bin/carrel.mjs', 'scripts/setup.mjs']) {
      const imports = readFileSync(join(projectRoot, entry), 'utf8').match(/^import .*$/gm) ?? []
      assert.match(imports[0]!, /require-node\.mjs'$/)
      assert.deepEqual(
        imports.slice(1).filter((line) => !/'node:[a-z_]+'$/.test(line)),
        [],
      )
    }
  })
})

test('the first compile reports its progress, and a later one does not', (t) => {
  const clone = temporaryFolder(t)
  for (const part of ['bin', 'scripts'])
    cpSync(join(projectRoot, part), join(clone, part), { recursive: true })
  const compiler = join(clone, 'node_modules/typescript/bin')
  mkdirSync(compiler, { recursive: true })
  // A compiler that only leaves behind what shows that it ran.
  writeFileSync(join(compiler, 'tsc'), `require('node:fs').writeFileSync('dist/.tsbuildinfo', '')`)
  // The same of a bundler.
  const bundler = join(clone, 'node_modules/esbuild')
  mkdirSync(bundler)
  writeFileSync(
    join(bundler, 'index.js'),
    `exports.build = async ({ outdir }) => {
      require('node:fs').mkdirSync(outdir, { recursive: true })
      return { metafile: { inputs: {}, outputs: {} } }
    }`,
  )
  const compile = `import('${pathToFileURL(join(clone, 'scripts/setup.mjs')).href}').then((m) => m.compile())`
  const run = () => spawnSync(process.execPath, ['-e', compile], { cwd: clone, encoding: 'utf8' })
  assert.match(run().stderr, /^Compiling \(once/)
  assert.equal(run().stderr, '')
})

/** Runs a script in a Node that takes itself for an older one. */
function runAs(t: TestContext, version: string, script: string) {
  const disguise = join(temporaryFolder(t), 'disguise.cjs')
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`
  writeFileSync(disguise, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
  return spawnSync(process.execPath, ['--require', disguise, script, '--version'], { encoding: 'utf8' })
}
