// Half of the public collection of broken, locked and ordinary files, through the tool: each becomes a document, or is
// refused with a reason and leaves nothing. (test/files looks at time, memory and what was read.)
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { Problem } from '../../src/model/problem.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { documentRecords } from '../../src/toolsets/knowledge/document-records.js'
import { addDocument } from '../../src/toolsets/knowledge/manage-documents.js'
import { openForTest, projectRoot, settingsFor, temporaryFolder } from '../support/world.js'
import { blobFiles } from './kit.js'

const folder = join(projectRoot, '../shared/data/files')

test('files of every kind are added, or refused with a reason and a step that helps', {
  skip: !existsSync(folder) && 'the public data is not here',
  timeout: 120_000,
}, async (t) => {
  const data = join(temporaryFolder(t), 'data')
  const settings = settingsFor(temporaryFolder(t))
  const limits = { ...settings.limits, workers: 4 }
  const library = await openForTest({ ...settings, data, limits, uploadFolders: [folder] })
  t.after(() => library.close())
  const opens = new Set(popplerOpens())
  // Every other one: test/files reads them all.
  const files = allFiles(folder).filter((_, i) => i % 2 === 0)
  assert.ok(files.length > 75)
  let added = 0
  const add = async (path: string) => {
    try {
      const { state } = await addDocument(library, { filePath: path })
      assert.ok(state === 'created' || state === 'unchanged', `${path}: ${state}`)
      added++
    } catch (error) {
      assert.ok(error instanceof Problem, `${path}: ${error}`)
      assert.ok(error.message.length > 10 && error.hint!.length > 10, path)
      assert.ok(!opens.has(basename(path)), `${path} opens elsewhere: ${error.message}`)
    }
  }
  for (let i = 0; i < files.length; i += 6) await Promise.all(files.slice(i, i + 6).map(add))
  assert.ok(added > 25)
  const records = await documentRecords(library)
  assert.equal(blobFiles(library).length, records.length)
  assert.ok(records.every(({ status }) => status === 'completed'))
  assert.deepEqual(auditIndex(data), [])
})

function allFiles(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

function popplerOpens(): string[] {
  const [, ...rows] = readFileSync(join(folder, 'bad-input/expected-poppler.tsv'), 'utf8').trim().split('\n')
  return rows
    .map((row) => row.split('\t'))
    .flatMap(([path, , exit]) => (exit === '0' ? [basename(path!)] : []))
}
