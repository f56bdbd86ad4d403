// How fast files are converted, in one run by turns: PDF by the pool against the fallback library in this process, Word
// documents by the pool, and documentation pages in a new process each time, its start included. The pool does more: it
// finds headings and tables and parses the result.
//   npm run bench -- files [--quick] [--json]
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { extractText, getDocumentProxy } from 'unpdf'
import { convertPool } from '../src/ingest/convert/convert-pool.js'
import { docx, paragraph, pdf } from '../test/support/office-files.js'
import { projectRoot } from '../test/support/world.js'
import { documentationPages } from './html-pages.js'
import { cpuMs } from './processor-time.js'
import { world } from './scale-data.js'

const quick = process.argv.includes('--quick')
const rounds = quick ? 2 : 5
const processes = 2
const shared = join(projectRoot, '../shared/data/files')

interface Sample {
  name: string
  bytes: Uint8Array
  pages: number
}

const papers = await pdfs()
const words = wordFiles()
const pages = papers.reduce((sum, paper) => sum + paper.pages, 0)
const cold = await measured(async (): Promise<undefined> => {
  const pool = convertPool({ processes: 1 })
  await pool.convert({ bytes: papers[0]!.bytes, path: papers[0]!.name, format: 'pdf' })
  await pool.close()
})
const htmlFolder = mkdtempSync(join(tmpdir(), 'carrel-bench-html-'))
const htmlBytes = documentationPages(quick ? 60 : 200).map((page, i) => {
  writeFileSync(join(htmlFolder, `${String(i).padStart(4, '0')}.html`), page)
  return page.length
})
const htmlCount = htmlBytes.length
const pool = convertPool({ processes })
const runs = [
  { what: `PDF, pool of ${processes}`, unit: 'pages', count: pages, work: byPool, times: [] as Time[] },
  { what: 'PDF, unpdf in process', unit: 'pages', count: pages, work: inProcess, times: [] as Time[] },
  {
    what: `DOCX, pool of ${processes}`,
    unit: 'files',
    count: words.length,
    work: wordByPool,
    times: [] as Time[],
  },
  {
    what: 'HTML to Markdown, a new process',
    unit: 'pages',
    count: htmlCount,
    work: htmlInNewProcess,
    times: [] as Time[],
  },
]
for (let round = -1; round < rounds; round++) {
  for (const { work, times } of runs) {
    const spent = await measured(work)
    if (round >= 0) times.push(spent)
  }
}
await pool.close()
rmSync(htmlFolder, { recursive: true })
// On a machine that does other things as well, the processor's time is the fairer measure.
const rows = runs.map(({ what, unit, count, times }) => ({
  what,
  unit,
  'per second, best': rate(count, Math.min(...times.map(({ wall }) => wall))),
  'per second, median': rate(count, median(times.map(({ wall }) => wall))),
  'per processor second, median': rate(count, median(times.map(({ cpu }) => cpu))),
}))
if (process.argv.includes('--json')) console.log(JSON.stringify(rows))
else console.table(rows)
console.error(
  `${papers.length} PDFs with ${pages} pages, ${words.length} DOCX, ${htmlCount} HTML pages of ${Math.round(htmlBytes.reduce((sum, size) => sum + size, 0) / htmlCount / 1000)} kB on average, ${rounds} rounds by turns. First PDF, process start included: ${Math.round(cold.wall)} ms.`,
)

async function byPool(): Promise<undefined> {
  await Promise.all(papers.map(({ name, bytes }) => pool.convert({ bytes, path: name, format: 'pdf' })))
}

async function inProcess(): Promise<undefined> {
  for (const { bytes } of papers)
    await extractText(await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 }))
}

async function wordByPool(): Promise<undefined> {
  await Promise.all(words.map((bytes) => pool.convert({ bytes, path: 'a.docx', format: 'docx' })))
}

// The processor's time of a child that has ended is no longer in /proc: it says itself what it took.
async function htmlInNewProcess(): Promise<number> {
  const child = fileURLToPath(new URL('./html-child.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [child, htmlFolder])
  return (JSON.parse(stdout) as { cpu: number }).cpu
}

/** The sample paper, one made of random prose, and those of the public collection that have text on several pages. */
async function pdfs(): Promise<Sample[]> {
  const paper = readFileSync(join(projectRoot, 'examples/library/papers/delivery-guarantees.pdf'))
  const made = { name: 'made.pdf', bytes: madePdf(quick ? 20 : 60), pages: quick ? 20 : 60 }
  const chosen = [
    'testPDF_protected.pdf',
    'testPDF_bad_page_303226.pdf',
    'copy-protected.pdf',
    'pdf-bad-color-space.pdf',
  ]
  const found = chosen
    .map((name) => ({ name, file: join(shared, 'bad-input/pdf', name) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({
      name,
      bytes: readFileSync(file),
      pages: [41, 19, 2, 1][chosen.indexOf(name)]!,
    }))
  return [{ name: 'paper.pdf', bytes: paper, pages: 3 }, made, ...found]
}

function madePdf(count: number): Uint8Array {
  const from = world(3)
  const lines = () =>
    from
      .document(2_600)
      .replace(/[^\x20-\x7e\n]/g, '')
      .match(/[^\n]{1,80}(?:\s|$)/g) ?? []
  return pdf(
    Array.from({ length: count }, () =>
      lines()
        .slice(0, 30)
        .map((line): [number, string] => [11, line.trim()]),
    ),
  )
}

function wordFiles(): Uint8Array[] {
  const from = world(5)
  const made = Array.from({ length: quick ? 10 : 40 }, () => {
    const paragraphs = from
      .document(6_000)
      .split(/\n{2,}/)
      .map((text) => paragraph(text.replace(/[<&]/g, '')))
    return docx(paragraphs.join(''))
  })
  const folder = join(shared, 'docx-python/features/steps/test_files')
  const real = existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => readFileSync(join(folder, name)))
    : []
  return [...made, ...real]
}

interface Time {
  wall: number
  cpu: number
}

async function measured(work: () => Promise<number | undefined>): Promise<Time> {
  const [start, spent] = [performance.now(), cpuMs()]
  const own = await work()
  return { wall: performance.now() - start, cpu: own ?? cpuMs() - spent }
}

function rate(count: number, ms: number): number {
  return Math.round((count / ms) * 10_000) / 10
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}
