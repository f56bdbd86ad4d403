import type { Status } from '../../../model/reports.js'
import { bytes, count } from '../figures.js'
import { safe, safeLine } from '../terminal.js'
import { reasons } from './index-report.js'
import { indented, joined, type Look, table } from './table.js'

const mostFiles = 10

export function statusText(status: Status, { paint }: Look): string {
  return joined([
    ...table(facts(status)),
    ...part(paint.bold('Collections'), collections(status)),
    ...part(paint.bold('Vectors'), vectors(status)),
    ...part(paint.bold('Memory'), memory(status)),
    ...part(paint.bold('Read most'), context(status)),
    ...part(paint.bold('Tools'), tools(status)),
    ...part(paint.yellow('Never indexed to the end'), unread(status)),
    ...part(paint.red('Could not be read'), reasons(status.lastFailures, mostFiles)),
    ...part(paint.yellow('Skipped'), reasons(status.lastSkipped, mostFiles)),
    ...part(paint.yellow('Indexed in part'), reasons(status.inPart, mostFiles)),
  ])
}

function facts(status: Status): string[][] {
  const { indexing } = status
  return [
    ['root', safe(status.root)],
    ['data', `${safe(status.data)} (${bytes(status.databaseBytes)})`],
    ['documents', `${count(status.documents)} (${count(status.characters)} characters)`],
    ['passages', count(status.chunks)],
    ['indexed', status.lastIndexed ?? neverIndexed(status)],
    ...(indexing ? [['indexing', `now, by process ${indexing.pid} on ${safe(indexing.host)}`]] : []),
  ]
}

function neverIndexed({ folders, documents, unread }: Status): string {
  if (folders === 0) return 'no folder is configured'
  if (documents > 0 && unread.length === 0) return 'no folder has files to index'
  return documents > 0 ? 'no folder yet; run carrel index' : 'never; run carrel index'
}

function part(heading: string, lines: string[]): string[] {
  return lines.length ? ['', heading, ...indented(lines)] : []
}

function unread({ unread, indexing }: Status): string[] {
  if (unread.length === 0) return []
  const what = indexing
    ? 'They are found in part until that is done.'
    : 'They are found in part: run carrel index'
  return [...table(unread.map(({ name, location }) => [safe(name), safe(location)])), what]
}

function collections({ collections }: Status): string[] {
  if (collections.length === 0) return []
  const rows = collections.map((one) => [
    safe(one.name),
    one.kind,
    count(one.documents),
    count(one.chunks),
    safe(one.location),
  ])
  return table([['name', 'kind', 'documents', 'passages', 'location'], ...rows], [2, 3])
}

function vectors({ vectors, chunks }: Status): string[] {
  if (chunks === 0) return []
  return vectors.map(
    ({ model, count: number }) => `${safe(model)}: ${count(number)} of ${count(chunks)} passages`,
  )
}

function memory({ memory: { discoveries, sessions } }: Status): string[] {
  if (discoveries.total === 0 && sessions.total === 0) return []
  const types = Object.entries(discoveries.byType).flatMap(([type, number]) =>
    number > 0 ? [`${count(number)} ${type}`] : [],
  )
  const superseded = discoveries.superseded > 0 ? [`${count(discoveries.superseded)} superseded`] : []
  const facts = [...types, ...superseded].join(', ')
  const open = `${count(sessions.open)} open`
  return table([
    ['discoveries', facts ? `${count(discoveries.total)} (${facts})` : count(discoveries.total)],
    ['sessions', `${count(sessions.total)} (${open}${sessions.last ? `, last ${sessions.last}` : ''})`],
  ])
}

function context({ memory }: Status): string[] {
  if (memory.context.length === 0) return []
  const rows = memory.context.map(({ path, score, accesses }) => [
    safeLine(path),
    score.toFixed(2),
    count(accesses),
  ])
  return table([['file', 'score', 'reads'], ...rows], [1, 2])
}

function tools({ tools = [] }: Status): string[] {
  if (tools.length === 0) return []
  const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
  const rows = tools.map((one) => [one.tool, count(one.calls), count(one.failures), ms(one.p50), ms(one.p95)])
  return table([['name', 'calls', 'failed', 'p50', 'p95'], ...rows], [1, 2, 3, 4])
}
