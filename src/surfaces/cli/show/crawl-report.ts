import { counted } from '../../../text/counted.js'
import type { KnownJob } from '../../../toolsets/knowledge/jobs.js'
import { count, duration } from '../figures.js'
import { clip, safe } from '../terminal.js'
import { indented, joined, type Look } from './table.js'

/** What a crawl did: one line of counts that add up, then what failed and what was passed over, with reasons. */
export function crawlText(known: KnownJob, look: Look): string {
  const { job, tally } = known
  return joined([
    look.paint.bold(`${safe(job.plan.start)}: ${headline(known)}`),
    ...(job.error === null ? [] : [look.paint.red(safe(job.error))]),
    ...failed(known, look),
    ...excluded(known, look),
    ...tally.notes.map((note) => look.paint.yellow(safe(note))),
  ])
}

function headline(known: KnownJob): string {
  const { job, tally } = known
  const stored = `${counted(tally.documents, 'document')}, ${counted(tally.chunks, 'passage')}`
  const said = [
    `${count(tally.crawled)} crawled (${stored})`,
    `${count(tally.unchanged)} unchanged`,
    `${count(tally.failed)} failed`,
    `${count(tally.excluded)} excluded`,
    ...(tally.pending > 0 ? [`${count(tally.pending)} pending`] : []),
  ]
  const gone = tally.removed > 0 ? `; ${count(tally.removed)} gone from the index` : ''
  const end = job.status.replaceAll('_', ' ')
  return `${end}, ${addresses(tally.discovered)} in ${tookOf(known)}: ${said.join(', ')}${gone}.`
}

function addresses(number: number): string {
  return `${count(number)} address${number === 1 ? '' : 'es'}`
}

function tookOf({ job }: KnownJob): string {
  const from = Date.parse(job.startedAt ?? job.createdAt)
  const to = job.completedAt === null ? Date.now() : Date.parse(job.completedAt)
  return duration(Math.max(0, to - from))
}

function failed({ tally }: KnownJob, { paint }: Look): string[] {
  if (tally.failed === 0) return []
  const lines = tally.failures.map(({ url, reason }) => safe(`${url}: ${reason}`).replaceAll('\n', ' '))
  const more = tally.failed > lines.length ? [`… and ${count(tally.failed - lines.length)} more`] : []
  return ['', paint.red('Failed'), ...indented([...lines, ...more])]
}

function excluded({ tally }: KnownJob, { paint, width }: Look): string[] {
  const groups = Object.values(tally.exclusions)
  if (groups.length === 0) return []
  const lines = groups.map(({ count: number, reason, example }) =>
    clip(safe(`${count(number)} × ${reason} (${example})`).replaceAll('\n', ' '), Math.max(width - 2, 100)),
  )
  return ['', paint.yellow('Excluded'), ...indented(lines)]
}
