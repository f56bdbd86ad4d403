import { defineResource, type Resource } from '../../../server/define.js'
import { moduleNamed, moduleNames, overviewOf } from '../overview.js'
import { modulePage, overviewPage, sessionView } from '../resource-pages.js'
import { allSessions, enterSession } from '../sessions.js'
import { type ContextServices, sittingOf } from './services.js'

const overview = defineResource<ContextServices>({
  name: 'project-overview',
  title: 'Project overview',
  summary: 'Modules, what is recorded about them, and what was read most.',
  uri: 'context://project/overview',
  mimeType: 'text/markdown',
  read: async ({ library }) => ({ text: overviewPage(await overviewOf(library)) }),
})

const module = defineResource<ContextServices>({
  name: 'module',
  title: 'Module',
  summary: 'What is recorded about one module, its files and what was read most of it.',
  template: 'context://module/{name}',
  mimeType: 'text/markdown',
  list: async ({ library }) =>
    (await moduleNames(library)).map((name) => ({ uri: uriOf(name), name, title: `Module ${name}` })),
  read: async ({ library }, { variables }) => {
    const found = await moduleNamed(library, variables.name ?? '')
    return found && { text: modulePage(found) }
  },
  complete: {
    name: async ({ library }, value) =>
      (await moduleNames(library)).filter((name) => name.toLowerCase().startsWith(value.toLowerCase())),
  },
})

const current = defineResource<ContextServices>({
  name: 'current-session',
  title: 'Current session',
  summary: 'The session of this connection: its id, what was read and recorded.',
  uri: 'context://session/current',
  mimeType: 'application/json',
  read: ({ library }, _request, call) => ({
    text: JSON.stringify(sessionView(enterSession(library, sittingOf(call)))),
  }),
})

const mostRecent = 20

const recent = defineResource<ContextServices>({
  name: 'recent-sessions',
  title: 'Recent sessions',
  summary: 'The latest sessions: when, with which client, what was read and recorded.',
  uri: 'context://sessions/recent',
  mimeType: 'application/json',
  read: async ({ library }) => ({
    text: JSON.stringify({
      sessions: (await allSessions(library)).slice(0, mostRecent).map(sessionView),
    }),
  }),
})

/** All uris for these modules: those that a client may have subscribed to. */
export function contextUris(modules: readonly string[]): string[] {
  return [overview, current, recent].map(({ uri }) => uri!).concat(modules.map(uriOf))
}

export const contextResources: readonly Resource<ContextServices>[] = [overview, module, current, recent]

function uriOf(name: string): string {
  return `context://module/${encodeURIComponent(name)}`
}
