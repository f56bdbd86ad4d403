import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readableTarget } from '../graph/names.js'
import { titleFromPath } from './title.js'

for (const [path, title] of [
  ['guide/retry-budget.md', 'Retry budget'],
  ['snake_case_name.txt', 'Snake case name'],
  ['My Note - draft.md', 'My Note - draft'],
  ['daily/2024-01-15.md', '2024-01-15'],
  ['0007-use-sqlite.md', '0007 use sqlite'],
  ['README.md', 'README'],
  ['guide/index.md', 'Guide'],
  ['index.md', 'Index'],
  ['LICENSE', 'LICENSE'],
  ['.gitignore', '.gitignore'],
  ['élan-vital.md', 'Élan vital'],
  ['release 1.2', 'release 1.2'],
  ['---.md', '---'],
] as const)
  test(`${path} is called ${title}`, () => assert.equal(titleFromPath(path), title))

test('a target is looked up without its encoding', () => {
  const read = (kind: string, target: string) => readableTarget({ kind, target })
  assert.equal(read('markdown', 'my%20note.md'), 'my note.md')
  assert.equal(read('markdown', 'a\\_b&amp;c.md'), 'a_b&c.md')
  assert.equal(read('markdown', '100%.md'), '100%.md')
  assert.equal(read('wiki', '100%25'), '100%25')
})
