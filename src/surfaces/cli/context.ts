import type { Library } from '../../answer/library.js'
import type { search } from '../../answer/search.js'
import type { fillVectors } from '../../answer/vectors.js'
// The dependencies of the command line: streams, settings and services. Tests pass their own.
import type { Note } from '../../model/problem.js'
import type {
  Check,
  EngineReport,
  EvalOptions,
  EvalReport,
  IndexOptions,
  IndexProgress,
  IndexReport,
  Status,
} from '../../model/reports.js'
import type { Configuration, Settings } from '../../model/settings.js'
import type { LogLevel } from '../../server/log.js'
import type { syncNewPackages } from '../../toolsets/packages/first-sync.js'
import type { SetupResult } from './setup/setup.js'

export interface Context {
  version: string
  /** For results only. */
  out: Output
  /** For everything else. */
  err: Output
  stdin: NodeJS.ReadableStream
  env: Readonly<Record<string, string | undefined>>
  /** Aborted when the user interrupts. */
  signal: AbortSignal
  /** Reads the configuration, overridden by these flags. */
  settings(flags: GlobalFlags): Promise<{ settings: Configuration; notes: Note[] }>
  services: Services
  /** Sets the exit code. */
  exit(code: number): void
}

export interface Output {
  write(text: string): unknown
  isTTY?: boolean | undefined
  columns?: number | undefined
}

export interface OpenOptions {
  /** Nothing is going to be kept: without a data folder none is made, and the library is empty. */
  reading?: boolean
  /** The work begins with a question: the model is loaded meanwhile. */
  asking?: boolean
  onNote?: (note: Note) => void
}

/** Each service is loaded with its first call, so that `--help` loads no engine. */
export interface Services {
  open(settings: Settings, options?: OpenOptions): Promise<Library>
  indexAll: (library: Library, options: IndexOptions) => Promise<IndexReport>
  syncNewPackages: typeof syncNewPackages
  search: typeof search
  status: (library: Library) => Promise<Status>
  doctor(settings: Settings, options: { repair?: boolean; trust?: boolean }): Promise<Check[]>
  evaluate(settings: Settings, options: EvalOptions): Promise<EvalReport>
  fillVectors: typeof fillVectors
  /** How many chunks an engine embeds behind this command; null where none does. */
  embedBehind(
    library: Library,
    command: { settings: Configuration; flags: GlobalFlags },
  ): Promise<number | null>
  serve(settings: Configuration, options: ServeRequest): Promise<Serving>
  mcp(
    settings: () => Promise<Configuration>,
    options: { version: string; signal: AbortSignal; logLevel?: LogLevel; share: boolean },
  ): Promise<void>
  /** Shows the engine that runs; stops it; or is one until nobody needs it. */
  engine(
    settings: Configuration,
    options: { action: 'show' | 'stop' | 'run'; version: string; signal: AbortSignal },
  ): Promise<EngineReport | null>
  /** Calls a tool, or lists them; returns the exit code. */
  tool(
    settings: Configuration,
    request: ToolRequest,
    streams: { out: Output; err: Output; stdin: NodeJS.ReadableStream },
  ): Promise<number>
  setup(request: SetupRequest): Promise<{ result: SetupAnswer; changedLines: string }>
}

export interface ToolRequest {
  name?: string | undefined
  json?: string | undefined
  asJson?: boolean | undefined
  quiet?: boolean | undefined
  version: string
  signal: AbortSignal
}

export interface ServeRequest {
  version: string
  logLevel?: LogLevel
  host?: string
  port: number
  anyPort: boolean
  share: boolean
  tokens: string[]
  allowedHosts?: string[]
  allowedOrigins?: string[]
  signal: AbortSignal
  onProgress(progress: IndexProgress): void
  onTrouble(message: string): void
}

export interface Serving {
  url: string
  /** The urls for other machines. */
  elsewhere: string[]
  documents: number
  tools: number
  /** Resolves after the first indexing run. */
  indexed: Promise<void>
  closed: Promise<void>
  close(): Promise<void>
}

/** Includes the global options: the client starts the server with them. */
export interface SetupRequest extends Omit<GlobalFlags, 'json' | 'quiet' | 'share' | 'color'> {
  client: string
  dryRun?: boolean
  remove?: boolean
  url?: string
  scope?: 'project' | 'user'
  /** Names with commas, or `all`. Default: the desk. */
  toolsets?: string
}

export interface SetupAnswer {
  client: string
  file: string
  action: SetupResult['action']
  notes: string[]
}

/** The global options. */
export interface GlobalFlags {
  root?: string
  data?: string
  config?: string
  set?: string[]
  /** Settings from a command's own options, in the form of `set`. */
  chosen?: string[]
  allowOutside?: boolean
  allowNetwork?: boolean
  allowPrivateNetwork?: boolean
  allowAgentFiles?: boolean
  json?: boolean
  quiet?: boolean
  /** False with --no-share. */
  share?: boolean
  /** False with --no-color. */
  color?: boolean
}
