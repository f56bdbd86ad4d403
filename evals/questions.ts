// Known items and paraphrases over the sample library and the public docs: is the right document the first hit?
//   npm run evals -- questions [SET…] [--mode text|hybrid] [--misses] [--json] [--save]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Library } from '../src/answer/library.js'
import { search } from '../src/answer/search.js'
import { mean } from '../src/app/evaluate/evaluate.js'
import { indexAll } from '../src/app/index-all.js'
import { openLibrary } from '../src/app/open.js'
import { settingsFor } from '../test/support/world.js'
import { type QuestionSet, readSet, type SetName, setNames } from './sets/read.js'

export interface QuestionScore {
  set: string
  mode: 'text' | 'hybrid'
  questions: number
  first: number
  top10: number
  mrr: number
}

interface Miss {
  query: string
  kind: string
  wanted: string
  place: number | null
  instead: string | undefined
}

export async function askSet(library: Library, set: QuestionSet, mode: QuestionScore['mode']) {
  const places: (number | null)[] = []
  const misses: Miss[] = []
  for (const { query, kind, document } of set.questions) {
    const { hits } = await search(library, { query, limit: 10, mode, deadlineMs: Number.POSITIVE_INFINITY })
    const documents = [...new Set(hits.map((hit) => hit.document))]
    const at = documents.indexOf(document)
    const place = at < 0 ? null : at + 1
    places.push(place)
    if (place !== 1) misses.push({ query, kind, wanted: document, place, instead: documents[0] })
  }
  const score: QuestionScore = {
    set: set.name,
    mode,
    questions: places.length,
    first: mean(places.map((place) => (place === 1 ? 1 : 0))),
    top10: mean(places.map((place) => (place === null ? 0 : 1))),
    mrr: mean(places.map((place) => (place === null ? 0 : 1 / place))),
  }
  return { score, misses }
}

/** The set's folder, indexed in a data folder of its own. */
export async function withIndexed<T>(set: QuestionSet, work: (library: Library) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'carrel-evals-'))
  const library = await openLibrary({ ...settingsFor(set.folder), data })
  try {
    await indexAll(library, {})
    return await work(library)
  } finally {
    await library.close()
    rmSync(data, { recursive: true, force: true })
  }
}

if (process.argv[1]?.endsWith('questions.js')) {
  const words = process.argv.slice(2)
  const mode = words.includes('--mode') ? (words[words.indexOf('--mode') + 1] as 'text' | 'hybrid') : 'text'
  const names = setNames.filter(
    (name) => !words.some((w) => setNames.includes(w as SetName)) || words.includes(name),
  )
  for (const name of names) {
    const set = readSet(name)
    if (set.missing) {
      console.log(`${name}: ${set.missing}`)
      continue
    }
    const { score, misses } = await withIndexed(set, (library) => askSet(library, set, mode))
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`
    if (words.includes('--json')) console.log(JSON.stringify(score))
    else
      console.log(
        `${name.padEnd(22)} ${mode}  first ${percent(score.first)}  top 10 ${percent(score.top10)}  MRR ${score.mrr.toFixed(3)}`,
      )
    if (words.includes('--misses'))
      for (const miss of misses)
        console.log(
          `   ${miss.kind}: "${miss.query}" wanted ${miss.wanted} at ${miss.place ?? '—'}, got ${miss.instead}`,
        )
  }
}
