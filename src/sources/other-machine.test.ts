import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadsElsewhere } from './other-machine.js'

test('on Windows, a share without the project is another machine', () => {
  const folders = ['C:\\work', '\\\\home\\docs\\project']
  for (const path of [
    '\\\\evil\\share\\a.md',
    '//evil/share/a.md',
    '\\\\?\\UNC\\evil\\share\\a.md',
    '\\\\.\\pipe\\x',
  ])
    assert.equal(leadsElsewhere(path, folders, 'win32'), true, path)
  for (const path of ['C:\\a.md', 'D:/a.md', '\\\\HOME\\Docs\\a.md', '//home/docs/other/a.md'])
    assert.equal(leadsElsewhere(path, folders, 'win32'), false, path)
  assert.equal(leadsElsewhere('//evil/share/a.md', folders, 'linux'), false)
})
