// A project's memory as pages a model reads.

import { type Discovery, filesOf, type Session } from '../../answer/memory/records.js'
import type { ContextItem } from '../../model/reports.js'
import type { ModuleView, Overview } from './overview.js'

export function overviewPage({
  name,
  documents,
  lacks,
  modules,
  discoveries,
  superseded,
  context,
}: Overview): string {
  return page(
    `# ${name}`,
    `${documents} documents are indexed. context_search finds what is recorded; record_discovery adds to it.`,
    lacks ?? '',
    section(
      'Modules',
      modules,
      (one) => `${one.name}: ${counted(one.files, 'file', 'files')}${known(one.discoveries)}`,
    ),
    section('Discoveries', discoveries, discoveryLine),
    superseded > 0
      ? `${counted(superseded, 'earlier discovery is', 'earlier discoveries are')} superseded.`
      : '',
    section('Read most', context, itemLine),
  )
}

export function modulePage({ name, files, fileCount, discoveries, context }: ModuleView): string {
  const more = fileCount > files.length ? `and ${fileCount - files.length} more` : ''
  return page(
    `# Module ${name}`,
    section('Discoveries', discoveries, discoveryLine),
    section('Read most', context, itemLine),
    section('Files', files, (path) => path),
    more,
  )
}

const mostFiles = 20

/** With readable times, and without facts that concern only this machine. */
export function sessionView(session: Session) {
  const { id, client, startedAt, lastAt, endedAt, ended, calls, discoveries } = session
  return {
    id,
    client,
    startedAt: new Date(startedAt).toISOString(),
    lastCallAt: new Date(lastAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    ended,
    calls,
    files: filesOf(session).slice(0, mostFiles),
    discoveries,
  }
}

function page(...parts: string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function section<T>(title: string, items: readonly T[], line: (item: T) => string): string {
  return items.length === 0 ? '' : [`## ${title}`, '', ...items.map((item) => `- ${line(item)}`)].join('\n')
}

function discoveryLine({ type, content, module, updatedAt, supersededBy }: Discovery): string {
  const where = module ? ` (${module})` : ''
  const stale = supersededBy ? ' [superseded]' : ''
  return `${type}${where}${stale}: ${content.replace(/\s+/g, ' ')} — ${updatedAt.slice(0, 10)}`
}

function itemLine({ path, accesses, score }: ContextItem): string {
  return `${path}: score ${score.toFixed(2)}, read ${counted(accesses, 'time', 'times')}`
}

function known(count: number): string {
  return count === 0 ? '' : `, ${counted(count, 'discovery', 'discoveries')}`
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
