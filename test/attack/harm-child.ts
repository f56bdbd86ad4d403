// Opens an index, harms its file, and asks on. A process of its own, since the harm may kill it.
import { copyFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../src/model/problem.js'
import { openDatabase } from '../../src/store/sqlite/database.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { documentOf, stock, wordsOf } from '../contract/sample.js'

/** What is done to the file while the index is open. */
const harms: Record<string, (file: string) => void> = {
  'cut to nothing': (file) => truncateSync(file, 0),
  'cut to its first page': (file) => truncateSync(file, 4096),
  'cut in half': (file) => truncateSync(file, 4096 * Math.floor(statSync(file).size / 8192)),
  'cut while it is read': cutWhileRead,
  'overwritten with zeros': (file) => writeFileSync(file, Buffer.alloc(4096 * 50), { flag: 'r+' }),
  removed: (file) => rmSync(file),
  'replaced by another': (file) => {
    copyFileSync(file, `${file}.other`)
    renameSync(`${file}.other`, file)
  },
}

/** After the snapshot was opened, SQLite does not look at the size of the file again. */
function cutWhileRead(file: string) {
  const database = openDatabase(folder)
  try {
    database.read((db) => {
      db.sql('SELECT count(*) FROM documents').get()
      truncateSync(file, 4096 * 20)
      db.sql('SELECT body FROM texts').all()
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  void database.close()
}

const [harm, folder] = process.argv.slice(2) as [string, string]
const documents = Array.from({ length: 60 }, (_, i) =>
  documentOf(`page-${i}.md`, [`lantern number${i} ${'wick oil brass '.repeat(800)}`, `second of ${i}`]),
)
const first = await openSqliteStore({ folder })
await stock(first, documents)
await first.settle()
await first.close()

const store = await openSqliteStore({ folder })
const questions: (() => Promise<unknown>)[] = [
  () => store.rank(wordsOf('lantern number7')),
  ...documents.map(
    ({ ref }) =>
      () =>
        store.document(ref),
  ),
  () => store.documents({}, { offset: 0, limit: 100 }),
  () => store.counts(),
]
const answers = await Promise.all(questions.slice(0, 20).map(async (ask) => JSON.stringify(await ask())))
harms[harm]!(join(folder, 'index.sqlite'))
// Longer than the store goes between two looks at the file.
await sleep(250)
const wrong: string[] = []
const problems: string[] = []
for (const [i, ask] of questions.entries())
  try {
    const answer = JSON.stringify(await ask())
    if (i < answers.length && answer !== answers[i]) wrong.push(`question ${i} was answered differently`)
    if (answer === 'null') wrong.push(`question ${i} found nothing`)
  } catch (error) {
    if (error instanceof Problem) problems.push(error.code)
    else wrong.push(error instanceof Error ? `${error.message} ${error.stack}` : String(error))
  }
try {
  await store.replace([documents[0]!])
} catch (error) {
  if (error instanceof Problem) problems.push(error.code)
  else wrong.push(String(error))
}
await store.close().catch((error) => wrong.push(`close: ${error}`))
process.stdout.write(JSON.stringify({ wrong, problems }))
