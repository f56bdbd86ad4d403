import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fixtureToolsets, shelf } from '../../test/surfaces/fixture.js'
import { Problem } from '../model/problem.js'
import { registry, type Selection } from './registry.js'

const open = (selection: Selection & { capabilities?: string[] } = {}) =>
  registry(fixtureToolsets, shelf(), selection)
const names = (selection: Selection & { capabilities?: string[] } = {}) => [...open(selection).tools.keys()]

describe('the registry', () => {
  const cases: [string, Selection & { capabilities?: string[] }, string[]][] = [
    ['everything that can work here', {}, ['read_note', 'list_notes', 'write_note', 'wait', 'fetch_note']],
    [
      'what a capability adds',
      { capabilities: ['embedder'], toolsets: ['shelf'] },
      ['read_note', 'list_notes', 'search_by_meaning'],
    ],
    ['one toolset', { toolsets: ['desk'] }, ['write_note', 'wait', 'fetch_note']],
    ['named tools', { tools: ['wait', 'read_note'] }, ['read_note', 'wait']],
    ['without excluded ones', { exclude: ['wait'] }, ['read_note', 'list_notes', 'write_note', 'fetch_note']],
    ['only what reads', { readOnly: true }, ['read_note', 'list_notes', 'wait']],
  ]
  for (const [title, selection, expected] of cases)
    test(`exposes ${title}`, () => assert.deepEqual(names(selection), expected))

  test('says why something is hidden', () => {
    const { hidden } = open({ toolsets: ['shelf'], readOnly: true })
    assert.deepEqual(
      hidden.map(({ name, reason }) => [name, reason]),
      [
        ['search_by_meaning', 'missing_capability'],
        ['write_note', 'toolset'],
        ['wait', 'toolset'],
        ['fetch_note', 'toolset'],
      ],
    )
  })

  test('narrowing only takes away', () => {
    const narrow = open({ toolsets: ['desk'], exclude: ['wait'] }).narrow({
      toolsets: ['desk', 'shelf'],
      tools: ['wait', 'write_note', 'read_note'],
    })
    assert.deepEqual([...narrow.tools.keys()], ['write_note'])
    assert.deepEqual(narrow.resources, [])
    assert.equal(narrow.hasPrompts, false)
  })

  test('unknown names are refused with the nearest', () => {
    assert.throws(
      () => open({ toolsets: ['shlef'] }),
      (e) => e instanceof Problem && e.hint === 'Did you mean "shelf"?',
    )
    assert.throws(
      () => open({ tools: ['read_notes'] }),
      (e) => e instanceof Problem && e.hint === 'Did you mean "read_note"?',
    )
    assert.throws(
      () => open().tool('lits_notes'),
      (e) => e instanceof Problem && e.hint === 'Did you mean "list_notes"?',
    )
    assert.throws(
      () => open().tool('search_by_meaning'),
      (e) => e instanceof Problem && /needs embedder, which is not set up here/.test(e.hint ?? ''),
    )
  })

  test('two tools by one name are a defect', () => {
    assert.throws(
      () => registry([...fixtureToolsets, { ...fixtureToolsets[0]!, name: 'again' }], shelf()),
      /read_note/,
    )
  })
})
