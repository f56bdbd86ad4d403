import type { IndexReport } from '../../../model/reports.js'
import { counted } from '../../../text/counted.js'
import { bytes, count, duration } from '../figures.js'
import { clip, safe } from '../terminal.js'
import { indented, joined, type Look, table } from './table.js'

interface Embedding {
  embedded?: number | undefined
  embeddingMs?: number
}

/** What a run did: one line of counts that add up, the sources, then what was passed over and what failed, with reasons. */
export function indexText(report: IndexReport & Embedding, look: Look): string {
  return joined([
    look.paint.bold(
      `${counted(report.counts.found, 'file')} in ${duration(report.ms)}: ${outcomes(report)}.`,
    ),
    ...embedding(report),
    ...(report.bySource.length > 1 ? ['', ...indented(sources(report))] : []),
    ...skipped(report, look),
    ...failures(report, look),
    ...inPart(report, look),
    ...notes(report, look),
  ])
}

function outcomes({ counts }: IndexReport): string {
  const said = [
    counts.stored > 0
      ? `${count(counts.stored)} stored (${counted(counts.chunks, 'passage')}, ${bytes(counts.bytes)})`
      : '0 stored',
    `${count(counts.unchanged)} unchanged`,
    `${count(counts.skipped)} skipped`,
    `${count(counts.failed)} failed`,
  ]
  const gone = counts.forgotten > 0 ? `; ${count(counts.forgotten)} gone from the index` : ''
  return said.join(', ') + gone
}

function embedding({ embedded = 0, embeddingMs = 0 }: Embedding): string[] {
  return embedded > 0 ? [`${counted(embedded, 'passage')} embedded in ${duration(embeddingMs)}.`] : []
}

function sources({ bySource }: IndexReport): string[] {
  const head = ['collection', 'files', 'stored', 'unchanged', 'skipped', 'failed', 'gone']
  const rows = bySource.map(({ name, counts: c }) => [
    safe(name),
    ...[c.found, c.stored, c.unchanged, c.skipped, c.failed, c.forgotten].map(count),
  ])
  return table([head, ...rows], [1, 2, 3, 4, 5, 6])
}

function skipped({ skipped }: IndexReport, { paint, width }: Look): string[] {
  if (skipped.length === 0) return []
  const lines = skipped.map(({ reason, count: number, examples }) => {
    const some = examples.length ? ` (${examples.join(', ')}${examples.length < number ? ', …' : ''})` : ''
    return clip(safe(`${count(number)} × ${reason}${some}`), width - 2)
  })
  return ['', paint.yellow('Skipped'), ...indented(lines)]
}

const mostFailures = 20

function failures({ failures }: IndexReport, { paint }: Look): string[] {
  return failures.length === 0 ? [] : ['', paint.red('Failed'), ...indented(reasons(failures, mostFailures))]
}

function inPart({ inPart }: IndexReport, { paint }: Look): string[] {
  return inPart.length === 0
    ? []
    : ['', paint.yellow('Indexed in part'), ...indented(reasons(inPart, mostFailures))]
}

/** Files and what is the matter with each, as many as a person reads. */
export function reasons(files: IndexReport['failures'], most: number): string[] {
  const lines = files
    .slice(0, most)
    .map(({ source, path, reason }) => safe(`${source}:${path}: ${reason}`).replaceAll('\n', ' '))
  const more = files.length - most
  return more > 0 ? [...lines, `… and ${count(more)} more (--json lists all)`] : lines
}

function notes({ notes }: IndexReport, { paint }: Look): string[] {
  return notes.length === 0 ? [] : ['', ...notes.map(({ message }) => paint.yellow(safe(message)))]
}
