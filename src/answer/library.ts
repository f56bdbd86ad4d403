import type { Entailment } from '../embed/entail/port.js'
import type { Embedder } from '../embed/port.js'
import type { Reranker } from '../embed/rerank/port.js'
import type { FoldersSeen } from '../ingest/missing-folder.js'
import type { Readers } from '../ingest/readers.js'
import type { Settings } from '../model/settings.js'
import type { Source } from '../model/source.js'
import type { Mutex } from '../runtime/mutex.js'
import type { Tasks } from '../runtime/tasks.js'
import type { Fetcher } from '../sources/web/fetch.js'
import type { Renderer } from '../sources/web/render.js'
import type { Store } from '../store/port.js'
import type { LibraryState } from './library-state.js'

/** What is open: everything a use-case needs, put together by `app`. */
export interface Library {
  readonly settings: Settings
  /** The id of the data folder, by which jobs that were begun in it are known; null where it has none. */
  readonly origin: string | null
  /** Folders and packages that the configuration does not name are not seen through it. */
  readonly store: Store
  /** The same with all that is kept in it: for what is about to be forgotten. */
  readonly whole: Store
  /** The configured sources, with their ids and aliases, in the order of the configuration. */
  readonly sources: readonly Source[]
  readonly readers: Readers
  /** Null: search is by words alone. */
  readonly embedder: Embedder | null
  /** For a second look at the best hits; null when none is set up. */
  readonly reranker: Reranker | null
  /** Tells whether a proposal goes against a decision; null where no model is wanted. */
  readonly entailment: Entailment | null
  /** An embedder for one of these models, if this machine can run it without being asked to: for a change of model. */
  earlier(models: readonly string[]): Embedder | null
  /** The one way out to the web. Nothing is loaded before it is asked. */
  readonly fetcher: Fetcher
  /** For pages that only scripts build, where a browser is installed. None is started before it is asked. */
  readonly renderer: Renderer
  /** Chunks that were shown but had no vector yet. */
  readonly wanted: Set<number>
  /** One change at a time under each name, among all processes that share the data folder. */
  readonly mutex: Mutex
  /** Background work, such as crawls. */
  readonly tasks: Tasks
  /** In which folders this process saw files. */
  readonly foldersSeen: FoldersSeen
  /** What modules remember while the library is open; each declares its part with `libraryState`. */
  readonly state: LibraryState
  /** The time (ms); the real one unless a test brings its own. */
  readonly now?: () => number
  close(): Promise<void>
}
