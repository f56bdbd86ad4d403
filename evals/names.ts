// Bare names of our own code, asked over our own sources and tests: is the file that defines the name the first hit, and how
// many of the first three are tests that nobody asked for?
//   npm run evals -- names
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mean } from '../src/app/evaluate/evaluate.js'
import { fileRole, isSideRole } from '../src/text/file-role.js'
import { projectRoot } from '../test/support/world.js'
import { embedder, openFolder } from './judged.js'

const folder = join(projectRoot, 'src')
const defined = new Map<string, string[]>()
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
  if (path.endsWith('.ts') && !path.endsWith('.test.ts'))
    for (const [, name] of readFileSync(join(folder, path), 'utf8').matchAll(
      /^export (?:async )?(?:function|class|interface|type|const) (\w+)/gm,
    ))
      defined.set(name!, [...(defined.get(name!) ?? []), path])
const single = [...defined].filter(([, paths]) => paths.length === 1).filter((_, i) => i % 4 === 0)
const ways = {
  'the name': (name: string) => name,
  'how does NAME work': (name: string) => `how does ${name} work`,
}
const model = embedder()
const judged = await openFolder(folder, [], model)
const rows = []
for (const mode of ['text', 'hybrid'] as const)
  for (const [asked, wording] of Object.entries(ways)) {
    const first: number[] = []
    const top3: number[] = []
    const aside: number[] = []
    for (const [name, [path]] of single) {
      const { hits } = await judged.ask(wording(name), { mode })
      const paths = hits.map(({ ref }) => ref.path)
      first.push(paths[0] === path ? 1 : 0)
      top3.push(paths.slice(0, 3).includes(path!) ? 1 : 0)
      aside.push(...paths.slice(0, 3).map((one) => (isSideRole(fileRole(one)) ? 1 : 0)))
    }
    const three = (list: number[]) => Math.round(mean(list) * 1000) / 1000
    rows.push({
      asked,
      mode,
      names: single.length,
      first: three(first),
      'top 3': three(top3),
      'tests in top 3': three(aside),
    })
  }
await judged.close()
await model.close()
console.table(rows)
