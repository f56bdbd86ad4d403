// A word that one document has and no other, asked for alone and within a question: how often that document comes first, and
// is among the first ten, by words and with both arms. Meaning knows little of such words, and must not outvote them.
//   npm run evals -- rare-words [--json]
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { mean } from '../src/app/evaluate/evaluate.js'
import { terms } from '../src/text/terms.js'
import { projectRoot } from '../test/support/world.js'
import { embedder, type Judged, openFolder } from './judged.js'
import { readSet } from './sets/read.js'

const sampleSize = 150
const ways: Record<string, (word: string) => string> = {
  alone: (word) => word,
  'where is … mentioned': (word) => `where is ${word} mentioned`,
  'how do we deal with …': (word) => `how do we deal with ${word} here`,
}

const model = embedder()
const rows = []
for (const name of ['library-known-items', 'docs-known-items'] as const) {
  const { folder, missing } = readSet(name)
  if (missing) console.error(missing)
  else {
    const judged = await openFolder(folder, [], model)
    const words = rareWords(folder)
    for (const way of Object.keys(ways)) rows.push(await score(judged, words, way))
    await judged.close()
  }
}
await model.close()
if (process.argv.includes('--json')) console.log(JSON.stringify(rows))
else console.table(rows)

async function score({ name, ask }: Judged, words: readonly RareWord[], way: string) {
  const row: Record<string, string | number> = {
    folder: relative(projectRoot, name),
    way,
    words: words.length,
  }
  for (const mode of ['text', 'hybrid'] as const) {
    const places: number[] = []
    for (const { word, path } of words) {
      const { hits } = await ask(ways[way]!(word), { mode })
      places.push(hits.findIndex(({ ref }) => ref.path === path))
    }
    row[`first, ${mode}`] = mean(places.map((place) => (place === 0 ? 1 : 0)))
    row[`top 10, ${mode}`] = mean(places.map((place) => (place >= 0 ? 1 : 0)))
  }
  return row
}

interface RareWord {
  word: string
  path: string
}

/** Evenly chosen among those of six letters or more whose stem stands in one document. */
function rareWords(folder: string): RareWord[] {
  const homes = new Map<string, { word: string; paths: Set<string> }>()
  for (const path of markdownIn(folder)) {
    const text = readFileSync(join(folder, path), 'utf8')
    for (const { term, start, end } of terms(text)) {
      const known = homes.get(term) ?? { word: text.slice(start, end), paths: new Set() }
      homes.set(term, { ...known, paths: known.paths.add(path) })
    }
  }
  const rare = [...homes.values()]
    .filter(({ word, paths }) => paths.size === 1 && /^[A-Za-z]{6,}$/.test(word))
    .map(({ word, paths }) => ({ word, path: [...paths][0]! }))
  const step = Math.max(1, Math.floor(rare.length / sampleSize))
  return rare.filter((_, i) => i % step === 0).slice(0, sampleSize)
}

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replaceAll(sep, '/'))
    .sort()
}
