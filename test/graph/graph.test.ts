import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hubs, neighbours, pagerank, shortestPath } from '../../src/graph/walk.js'
import { processorTime } from '../support/processor-time.js'
import { contentOf, graphOf, noteOf } from './notes.js'

test('after any history the graph is the one built from scratch', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const graph = graphOf({})
      const texts = new Map<string, string>()
      for (const { path, to, text } of steps) {
        if (text === null) texts.delete(path)
        else if (to !== null && texts.has(path)) texts.set(to, texts.get(path)!)
        if (text !== null && (to === null || !texts.has(path))) texts.set(path, text)
        else if (to !== null && to !== path) texts.delete(path)
        const touched = to === null ? [path] : [path, to]
        graph.change(touched.map((one) => [one, texts.has(one) ? noteOf(one, texts.get(one)!) : null]))
      }
      assert.deepEqual(contentOf(graph), contentOf(graphOf(Object.fromEntries(texts))))
    }),
    { seed: 6, numRuns: 250 },
  )
})

test('a supposed change gives the graph that the real change would', () => {
  fc.assert(
    fc.property(
      fc.dictionary(path, text, { minKeys: 1, maxKeys: 8 }),
      fc.array(fc.tuple(path, fc.option(text)), { minLength: 1, maxLength: 3 }),
      (texts, edits) => {
        const graph = graphOf(texts)
        const changes = [...new Map(edits)].map(
          ([at, text]) => [at, text === null ? null : noteOf(at, text)] as const,
        )
        const supposed = graph.supposing(changes)
        graph.change(changes)
        for (const { facts, resolved } of graph.notes.values())
          assert.deepEqual(
            facts.links.map((one) => supposed.resolve(facts.path, one)),
            resolved,
          )
      },
    ),
    { seed: 6, numRuns: 200 },
  )
})

const word = fc.constantFrom('a', 'A', 'b c', 'b-c', 'é', 'e\u0301', '日本', '🏮')
const path = fc
  .tuple(fc.constantFrom('', 'x/', 'x/y/', 'z w/'), word, fc.constantFrom('.md', '.mdx'))
  .map((parts) => parts.join(''))
const name = fc.oneof(
  word,
  path,
  path.map((one) => one.replace(/\.\w+$/, '')),
)
const link = fc
  .tuple(
    name,
    fc.constantFrom('[[*]]', '![[*]]', '[[*|l]]', '[[*#h]]', '[[*^b]]', '[l](<*>)', '[l](<../*>)', '#x/*'),
  )
  .map(([to, form]) => form.replace('*', to))
const text = fc
  .tuple(fc.option(word), fc.option(word), fc.array(link, { maxLength: 4 }))
  .map(
    ([title, alias, links]) =>
      `---\ntitle: ${title ?? ''}\naliases: [${alias ?? ''}]\n---\n${links.join(' ')}\n`,
  )
const step = fc.record({ path, to: fc.option(path, { freq: 3 }), text: fc.option(text, { freq: 5 }) })

const chain = graphOf({
  'a.md': '[[b]] [[c]] [[a]] [[b|again]]',
  'b.md': '[[d]]',
  'c.md': '[[d]] [[a]]',
  'd.md': '[[e]]',
  'e.md': '',
  'alone.md': '',
})

test('notes with the same name cost as much as others: the time is linear in their number', () => {
  const readmes = (many: number) => {
    const at = (i: number) => `folder-${i % many}/README.md`
    const own = (i: number) =>
      `# Readme\n[up](../README.md) [next](../${at(i + 1)}) [[README]] [[${at(i + 2)}]]`
    const texts = Array.from({ length: many }, (_, i) => [at(i), own(i)] as const)
    const graph = graphOf({ 'README.md': '# Top', ...Object.fromEntries(texts) })
    return processorTime(() => {
      graph.change([['new/README.md', noteOf('new/README.md', '[[README]]')]])
      const after = graph.supposing([[at(3), null]])
      for (const { facts } of graph.notes.values())
        for (const one of facts.links) after.resolve(facts.path, one)
    })
  }
  readmes(300)
  const [some, many] = [readmes(300), readmes(2_400)]
  assert.ok(many < Math.max(some, 5) * 24, `${some} ms, then ${many} ms for eight times as many`)
})

test('neighbours carry their direction, outgoing first', () => {
  const seen = (of: 'in' | 'out' | 'both', note = 'a.md') =>
    neighbours(chain, note, of).map(({ path, direction }) => `${direction} ${path}`)
  assert.deepEqual(seen('both'), ['out b.md', 'both c.md'])
  assert.deepEqual(seen('in'), ['both c.md'])
  assert.deepEqual(seen('both', 'd.md'), ['out e.md', 'in b.md', 'in c.md'])
  assert.deepEqual(seen('both', 'alone.md'), [])
})

test('the path follows the direction of links, or ignores it on request', () => {
  assert.deepEqual(shortestPath(chain, 'a.md', 'e.md', 'out'), ['a.md', 'b.md', 'd.md', 'e.md'])
  assert.equal(shortestPath(chain, 'e.md', 'a.md', 'out'), null)
  assert.deepEqual(shortestPath(chain, 'e.md', 'a.md', 'any'), ['e.md', 'd.md', 'b.md', 'a.md'])
  assert.deepEqual(shortestPath(chain, 'alone.md', 'alone.md', 'out'), ['alone.md'])
  assert.equal(shortestPath(chain, 'alone.md', 'a.md', 'any'), null)
  assert.equal(shortestPath(chain, 'a.md', 'nothing.md', 'any'), null)
})

test('the way is as short as a plain search finds it, and every step is a link', () => {
  const edges = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 })
  fc.assert(
    fc.property(
      edges,
      fc.nat(11),
      fc.nat(11),
      fc.constantFrom('out', 'any'),
      (pairs, from, to, direction) => {
        const texts = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`n${i}.md`, '']))
        for (const [a, b] of pairs) texts[`n${a}.md`] += `[[n${b}]] `
        const graph = graphOf(texts)
        const next = (path: string) =>
          neighbours(graph, path, direction === 'out' ? 'out' : 'both').map((n) => n.path)
        const way = shortestPath(graph, `n${from}.md`, `n${to}.md`, direction)
        assert.equal(way === null ? null : way.length - 1, distance(next, `n${from}.md`, `n${to}.md`))
        for (const [i, step] of (way ?? []).slice(1).entries()) assert.ok(next(way![i]!).includes(step))
      },
    ),
    { seed: 6, numRuns: 200 },
  )
})

function distance(next: (path: string) => string[], from: string, to: string): number | null {
  let ring = [from]
  const seen = new Set(ring)
  for (let steps = 0; ring.length > 0; steps++) {
    if (ring.includes(to)) return steps
    ring = [...new Set(ring.flatMap(next))].filter((path) => !seen.has(path))
    for (const path of ring) seen.add(path)
  }
  return null
}

test('hubs are counted by distinct notes, and ties go by path', () => {
  const of = (metric: 'in_degree' | 'out_degree', limit = 2) =>
    hubs(chain, metric, limit).map(({ path, score }) => [path, score])
  assert.deepEqual(of('in_degree'), [
    ['d.md', 2],
    ['a.md', 1],
  ])
  assert.deepEqual(of('out_degree'), [
    ['a.md', 2],
    ['c.md', 2],
  ])
})

test('ranks sum to one and favour notes that favoured notes link to', () => {
  const ranks = pagerank(chain)
  assert.ok(Math.abs([...ranks.values()].reduce((sum, rank) => sum + rank, 0) - 1) < 1e-9)
  assert.equal(hubs(chain, 'pagerank', 1)[0]?.path, 'e.md')
  assert.deepEqual(hubs(graphOf({}), 'pagerank', 5), [])
})

test('a tag is found under the tags above it, whatever its case', () => {
  const graph = graphOf({
    'b.md': '#Project/Lantern',
    'a.md': '---\ntags: project\n---\n',
    'c.md': '#projects',
  })
  assert.deepEqual(graph.tagged('PROJECT'), ['a.md', 'b.md'])
  assert.deepEqual(graph.tagged('project/lantern'), ['b.md'])
  assert.deepEqual(graph.tagged('none'), [])
})
