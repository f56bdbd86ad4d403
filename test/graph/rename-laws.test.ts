// Whatever a note is renamed to, in whatever form the links to it are written, what they mean stays the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Library } from '../../src/answer/library.js'
import type { Graph } from '../../src/graph/graph.js'
import { readingOf } from '../../src/graph/resolve.js'
import { refreshVaults } from '../../src/toolsets/graph/vaults.js'
import { contentOf, graphOf } from './notes.js'
import { vault } from './vault.js'

const words = [
  'alpha',
  'Beta gamma',
  'beta-gamma',
  'éclair',
  '日本 語',
  '🏮 lamp',
  "it's",
  'x (y)',
  'C# notes',
  'C#',
  'C',
  'up ^',
  'to^the',
  '50% off',
]
const forms = ['[[*]]', '![[*]]', '[[*|label]]', '[[*#Part]]', '[[*^block]]', '[[*\\|cell]]']
const markdown = ['[l](<*>)', '[l](<./*>)', '![l](<*>)', '[l](</*>)']

test('after a rename the graph is the same up to the new name', async (t) => {
  const random = fc.sample(
    fc.record({
      notes: fc.uniqueArray(fc.tuple(fc.constantFrom('', 'x/', 'x/y z/'), fc.nat(words.length - 1)), {
        minLength: 3,
        maxLength: 6,
        selector: ([folder, i]) => `${folder}${words[i]!.toLowerCase()}`,
      }),
      titles: fc.array(fc.nat(words.length - 1), { minLength: 6, maxLength: 6 }),
      links: fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(9), fc.nat(3)), { minLength: 4, maxLength: 14 }),
      pick: fc.nat(5),
      title: fc.oneof(fc.constantFrom(...words), fc.constant('Entirely new')),
    }),
    { seed: 66, numRuns: 14 },
  )
  let renamed = 0
  for (const sample of random) {
    const paths = sample.notes.map(([folder, i]) => `${folder}${words[i]}.md`)
    const texts = Object.fromEntries(
      paths.map((path, i) => [path, i % 2 ? `# ${words[sample.titles[i]!]}\n\n` : '']),
    )
    for (const [from, to, form, style] of sample.links) {
      const [source, target] = [paths[from % paths.length]!, paths[to % paths.length]!]
      texts[source] += `${linkTo(target, words[sample.titles[to % paths.length]!]!, form, style)}\n\n`
    }
    await t.test(JSON.stringify([sample.title, paths]), async (inner) => {
      const { call, library, read } = await vault(inner, texts)
      const before = graphOf(texts)
      const old = paths[sample.pick % paths.length]!
      const named = await call('update_node', { id: old, title: sample.title }).catch((error) => {
        assert.match(String(error), /NODE_EXISTS|cannot be rewritten/)
        return null
      })
      if (!named) return
      renamed++
      const rebuilt = graphOf(Object.fromEntries((await notesIn(library)).map((path) => [path, read(path)!])))
      const after = (await refreshVaults(library))[0]!.graph
      assert.deepEqual(contentOf(after), contentOf(rebuilt))
      const now = (path: string) => (path === old ? named.id : path)
      for (const [from, to] of edgesOf(before))
        assert.ok(after.notes.get(now(from))?.out.includes(now(to)), `${from} → ${to} is lost`)
      for (const [path, note] of before.notes)
        assert.deepEqual(
          placesIn(after, now(path)),
          placesIn(before, path),
          `places named in ${note.facts.path}`,
        )
    })
  }
  assert.ok(renamed > random.length / 2, `${renamed} renames were done`)
})

function linkTo(path: string, title: string, form: number, style: number): string {
  if (form >= forms.length) return markdown[form - forms.length]!.replace('*', path)
  const bare = path.replace(/\.md$/, '')
  const names = [bare, path, bare.slice(bare.lastIndexOf('/') + 1), title]
  return forms[form]!.replace('*', names[style]!)
}

/** What every link of a note has beside the name of another: label, and the heading it means. */
function placesIn(graph: Graph, path: string) {
  const { links } = graph.notes.get(path)!.facts
  return links.map((link) => [link.kind, link.label, readingOf(graph.candidates, path, link).heading])
}

function edgesOf(graph: Graph): [string, string][] {
  return [...graph.notes].flatMap(([from, { out }]) => out.map((to): [string, string] => [from, to]))
}

async function notesIn(library: Library): Promise<string[]> {
  return [...(await library.store.fingerprints(library.sources[0]!.id)).keys()].filter((path) =>
    path.endsWith('.md'),
  )
}
