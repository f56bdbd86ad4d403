/** The configuration after reading and validation. Only `app` creates it; other rooms receive it. */
export interface Settings {
  /** The project's real root folder. */
  root: string
  /** The data folder: index and records. */
  data: string
  /** How the data folder's owner is verified. Absent: the folder is used without verification. */
  dataTrust?: DataTrust
  /** Where the documents are, if several worktrees share them. Absent: in the data folder. */
  shared?: SharedStore
  sources: FolderSettings[]
  /** Globs of files that are excluded from every source. */
  exclude?: string[]
  /** Real paths of folders, besides the root and the sources, whose files may be added to the knowledge base. */
  uploadFolders?: string[]
  limits: Limits
  watch: boolean
  embedding: EmbeddingSettings
  rerank: RerankSettings
  /** Searches show hits that are hardly relevant, too. */
  showWeak?: boolean
  allow: Allowances
  /** The files that name packages: the project's, and the user's for all projects. */
  contexts: { project: string; global: string }
  /** The browser that renders pages built by scripts; null: the first one found. */
  chromium: string | null
  /** Folders with guidelines, patterns and decisions, in addition to the usual ones. */
  architecture?: ArchitectureSettings
}

export interface DataTrust {
  /** The user's state folder, which lists the data folders that this user made. */
  state: string
  /** A data folder that is not used because it is not known to belong to the user. */
  untrusted: string | null
}

export interface SharedStore {
  folder: string
  /** The top folder of this working tree. The same path below it is the same source in every worktree. */
  top: string
  /** The main worktree, and its data folder: its own index is what a new shared store starts from. */
  main?: { top: string; data: string }
}

/** Paths, folders or globs below the root. */
export interface ArchitectureSettings {
  guidelines: string[]
  patterns: string[]
  adr: string[]
}

/** The settings, with those that only the surfaces need. */
export interface Configuration extends Settings {
  tools: ToolSettings
  /** How long an engine that the command line started waits for the next command; 0: none is started. */
  engineMinutes: number
  /** The configuration files that were read, the user's own first. */
  files: string[]
}

export interface FolderSettings {
  /** The alias. */
  name: string
  /** A real path. */
  path: string
  description?: string
  /** Globs relative to the folder. An empty list includes every readable file. */
  include: string[]
  exclude: string[]
  /** Not configured as a source, but indexed for its guidelines, patterns and decisions, of which there may be none yet. */
  implied?: true
}

export interface Limits {
  /** Files larger than this (bytes) are skipped. */
  fileBytes: number
  /** The same limit for PDF, Office and EPUB files, most of whose bytes are not text. */
  documentBytes: number
  /** Number of worker threads that read and parse. */
  workers: number
  /** Time limit for one file (ms). */
  fileMs: number
  /** How long a crawl waits between two requests to one host (ms), unless the crawl or the site asks for another pause. */
  crawlPauseMs: number
}

export type EmbeddingSettings =
  | { provider: 'none' }
  | { provider: 'bundled'; threads: number }
  | { provider: 'onnx'; folder: string; threads: number; queryPrefix: string; passagePrefix: string }
  | {
      provider: 'openai-compatible'
      baseUrl: string
      model: string
      dimensions: number
      /** The key itself, already read from the environment variable that the configuration names. */
      key: string | null
      queryPrefix: string
      passagePrefix: string
      requestsPerMinute: number | null
    }

export type RerankSettings =
  | { provider: 'none' }
  | {
      provider: 'endpoint'
      shape: 'cohere' | 'jina' | 'voyage' | 'tei'
      baseUrl: string
      model: string
      key: string | null
    }
  | { provider: 'onnx'; folder: string }
  | { provider: 'second-stage' }

/** Which tools agents see, and how often they may call them. */
export interface ToolSettings {
  /** Null: all of them. */
  toolsets: string[] | null
  /** Null: every tool of the chosen toolsets. */
  only: string[] | null
  exclude: string[]
  readOnly: boolean
  /** Calls a minute for each client, by tool, where the configuration overrides a tool's limit. Null: no limits. */
  rateLimits: Record<string, number> | null
}

/** What the user allowed explicitly. A project's own configuration file cannot grant these. */
export interface Allowances {
  /** Files outside the root folder. */
  outside: boolean
  /** Servers on other machines that a project's configuration names. */
  network: boolean
  /** Requests to loopback and private addresses. */
  privateNetwork: boolean
  /** Notes written by tools into files that agents or programs take instructions from: `.claude`, `AGENTS.md`. */
  agentFiles?: true
}
