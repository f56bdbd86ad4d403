// The public library: what a program imports from `carrel`.

import { type SearchAnswer, type SearchRequest, search } from './answer/search.js'
import { type FillOptions, fillVectors } from './answer/vectors.js'
import { loadSettings } from './app/config/load.js'
import { stateFolder } from './app/data-trust.js'
import { homeFolder } from './app/home.js'
import { indexAll } from './app/index-all.js'
import { openLibrary } from './app/open.js'
import { status } from './app/status.js'
import type { IndexOptions, IndexReport, Status } from './model/reports.js'

export { Problem } from './model/problem.js'
export type { IndexOptions, IndexReport, SearchAnswer, SearchRequest, Status }

export interface Carrel {
  /** Brings the index up to date with its sources. */
  index(options?: IndexOptions): Promise<IndexReport>
  /** Embeds what has no vector yet; what is indexed is found by words before that. */
  embed(options?: FillOptions): Promise<{ embedded: number }>
  search(request: SearchRequest): Promise<SearchAnswer>
  status(): Promise<Status>
  close(): Promise<void>
}

export interface OpenOptions {
  /** The project's folder; its carrel.json is read. */
  root: string
  /** Where the index is kept, if not in the project. */
  data?: string
}

/** Opens a project as the command line would. Nothing is indexed before `index` is called. */
export async function openCarrel({ root, data }: OpenOptions): Promise<Carrel> {
  // The user's own configuration lies in the user's home: a project must not supply one with more rights.
  const home = homeFolder()
  const { XDG_CONFIG_HOME } = process.env
  const env = { XDG_CONFIG_HOME, CARREL_STATE: stateFolder(process.env, home) }
  const { settings } = await loadSettings({ flags: { root, data }, env, cwd: process.cwd(), home })
  const library = await openLibrary(settings)
  return {
    index: (options = {}) => indexAll(library, options),
    embed: (options = {}) => fillVectors(library, options),
    search: (request) => search(library, request),
    status: () => status(library),
    close: () => library.close(),
  }
}
