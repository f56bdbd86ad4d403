import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addNames,
  candidatesOf,
  type NameIndex,
  removeNames,
  withChanges,
} from '../../src/graph/name-index.js'
import { byText } from '../../src/graph/names.js'
import { type MatchKind, type Names, namesOf } from '../../src/graph/resolve.js'

const segment = fc.constantFrom('a', 'B', 'c d', 'c-d', 'é')
const folders = fc.array(segment, { maxLength: 9 })
const path = folders.map((parts) => [...parts, 'README.md'].join('/'))
const note = fc.tuple(
  path,
  fc.constantFrom('Read me', 'readme', 'a/readme', ''),
  fc.array(path, { maxLength: 1 }),
)
const names = fc.array(note, { minLength: 20, maxLength: 120 }).map((all) => {
  const each = new Map(all.map(([at, title, aliases]) => [at, namesOf({ path: at, title, aliases })]))
  return [...each.values()]
})

test('finds the same notes with the index by name as by a linear search', () => {
  fc.assert(
    fc.property(names, fc.nat(), (all, cut) => {
      const index: NameIndex = new Map()
      for (const one of all) addNames(index, one)
      const gone = new Set(all.slice(0, cut % all.length))
      const stay = all.filter((one) => !gone.has(one))
      const paths = new Set([...gone].map((one) => one.path))
      assertFinds(withChanges(candidatesOf(index.get('readme')), paths, []), stay, all)
      assertFinds(withChanges(candidatesOf(index.get('readme')), paths, [...gone]), all, all)
      for (const one of gone) removeNames(index, one)
      assertFinds(candidatesOf(index.get('readme')), stay, all)
      for (const one of gone) addNames(index, one)
      assertFinds(candidatesOf(index.get('readme')), all, all)
    }),
    { seed: 6, numRuns: 30 },
  )
})

const ways: MatchKind[] = [
  ...(['path', 'loose path', 'title', 'alias', 'loose name'] as const),
  ...(['loose alias', 'end', 'loose end', 'file'] as const),
]

function assertFinds(
  near: ReturnType<typeof candidatesOf>,
  expected: readonly Names[],
  queries: readonly Names[],
) {
  const alone = expected.map((one) => {
    const index: NameIndex = new Map()
    addNames(index, one)
    return candidatesOf(index.get('readme'))
  })
  for (const one of queries.slice(0, 4)) {
    const ends = one.exact.flatMap((whole) => [whole, whole.slice(whole.indexOf('/') + 1)])
    for (const name of [...ends, ...one.looseTitles, ...one.aliases, 'readme'])
      for (const way of ways) {
        const paths = alone.flatMap((single) => single.find(way, name)?.path ?? [])
        const [first, ...others] = paths.sort((a, b) => a.length - b.length || byText(a, b))
        assert.deepEqual(near.find(way, name), first === undefined ? null : { path: first, others })
      }
  }
}
