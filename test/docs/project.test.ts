// The files by which a stranger knows a project: version, CI, release and forms.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { projectRoot } from '../support/world.js'

const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8')
const manifest = JSON.parse(read('package.json'))
const workflow = (name: string) => parse(read(`.github/workflows/${name}.yml`))

describe('the project', () => {
  test('has its version from package.json, in server.json and the lock file too', () => {
    const server = JSON.parse(read('server.json'))
    const lock = JSON.parse(read('package-lock.json'))
    const found = [server.version, ...server.packages.map((one: { version: string }) => one.version)]
    assert.deepEqual(
      new Set([...found, lock.version, lock.packages[''].version]),
      new Set([manifest.version]),
    )
    assert.match(read('CHANGELOG.md'), new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')} `, 'm'))
  })

  test('is tested on Node 20, 22 and 24 on three systems', () => {
    const { matrix } = workflow('ci').jobs.test.strategy
    assert.deepEqual(matrix.node, [20, 22, 24])
    assert.deepEqual(matrix.os, ['ubuntu-latest', 'macos-latest', 'windows-latest'])
  })

  test('is published with provenance', () => {
    const { permissions, steps } = workflow('release').jobs.publish
    assert.equal(permissions['id-token'], 'write')
    assert.ok(steps.some(({ run }: { run?: string }) => run?.startsWith('npm publish --provenance')))
  })

  test('runs in its workflows only scripts that it has', () => {
    const runs = ['ci', 'release'].flatMap((name) =>
      [...read(`.github/workflows/${name}.yml`).matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script!),
    )
    assert.deepEqual(
      runs.filter((script) => !(script in manifest.scripts)),
      [],
    )
  })

  test('has issue forms with a name, a description and fields', () => {
    const forms = readdirSync(join(projectRoot, '.github/ISSUE_TEMPLATE')).filter(
      (name) => name !== 'config.yml',
    )
    assert.ok(forms.length >= 2)
    for (const form of forms) {
      const { name, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${form}`))
      assert.ok(name && description && body.length > 0, form)
      const ids = body.flatMap(({ id }: { id?: string }) => id ?? [])
      assert.equal(new Set(ids).size, ids.length, form)
    }
  })
})
