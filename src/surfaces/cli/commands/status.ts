import type { Command } from 'commander'
import type { Status } from '../../../model/reports.js'
import { printResult, withLibrary } from '../command.js'
import type { Context } from '../context.js'
import { helpText } from '../options.js'
import { bytes, count, joined, type Look, safe, safeLine, section, table } from '../terminal.js'
import { engineText } from './engine.js'
import { reasonLines } from './index-sources.js'

export function statusCommand(program: Command, context: Context) {
  program
    .command('status')
    .summary('show what is indexed')
    .description(
      helpText(
        'Shows the collections with their documents and chunks, and the files that the last run could not read.',
        ['carrel status', 'carrel status --root ~/notes', 'carrel status --json | jq .documents'],
      ),
    )
    .action(async (_options: object, command: Command) => {
      const status = await withLibrary(context, command, (library) => context.services.status(library), {
        reading: true,
      })
      printResult(context, command, { json: status, text: (look) => statusText(status, look) })
    })
}

const mostFiles = 10

function statusText(status: Status, { paint }: Look): string {
  return joined([
    ...table(facts(status)),
    ...section(paint.bold('Collections'), collections(status)),
    ...section(paint.bold('Vectors'), vectors(status)),
    ...section(paint.bold('Memory'), memory(status)),
    ...section(paint.bold('Read most'), context(status)),
    ...section(paint.bold('Tools'), tools(status)),
    ...section(paint.yellow('Never indexed to the end'), unread(status)),
    ...section(paint.red('Could not be read'), reasonLines(status.lastFailures, mostFiles)),
    ...section(paint.yellow('Skipped'), reasonLines(status.lastSkipped, mostFiles)),
    ...section(paint.yellow('Indexed in part'), reasonLines(status.inPart, mostFiles)),
  ])
}

function facts(status: Status): string[][] {
  const { indexing } = status
  return [
    ['root', safe(status.root)],
    ['data', `${safe(status.data)} (${bytes(status.databaseBytes)}${parts(status)})`],
    ['documents', `${count(status.documents)} (${count(status.characters)} characters)`],
    ['chunks', count(status.chunks)],
    ...(status.engine ? [['engine', engineText(status.engine)]] : []),
    ['indexed', status.lastIndexed ?? neverIndexed(status)],
    ...(indexing ? [['indexing', `now, by process ${indexing.pid} on ${safe(indexing.host)}`]] : []),
  ]
}

function parts({ disk }: Status): string {
  if (!disk) return ''
  const named = Object.entries(disk).filter(([, size]) => size > 0)
  return `: ${named.map(([part, size]) => `${part} ${bytes(size)}`).join(', ')}`
}

function neverIndexed({ folders, documents, unread }: Status): string {
  if (folders === 0) return 'no folder is configured'
  if (documents > 0 && unread.length === 0) return 'no folder has files to index'
  return documents > 0 ? 'no folder yet; run carrel index' : 'never; run carrel index'
}

function unread({ unread, indexing }: Status): string[] {
  if (unread.length === 0) return []
  const what = indexing
    ? 'Search finds only a part of them until indexing is done.'
    : 'Search finds only a part of them: run carrel index'
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
  return table([['name', 'kind', 'documents', 'chunks', 'location'], ...rows], [2, 3])
}

function vectors({ vectors, chunks }: Status): string[] {
  if (chunks === 0) return []
  return vectors.map(
    ({ model, count: number }) => `${safe(model)}: ${count(number)} of ${count(chunks)} chunks`,
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
