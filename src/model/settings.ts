/** What the configuration comes down to, once read and checked. Only `app` makes one; everybody else is handed one. */
export interface Settings {
  /** The project's real root folder. */
  root: string
  /** Where the index and our own records are kept. */
  data: string
  /** How the data folder was chosen. Absent: it is used as it is, and nobody remembers whose it is. */
  dataTrust?: DataTrust
  sources: FolderSettings[]
  /** Globs of files that belong to no source, wherever they lie. */
  exclude?: string[]
  /** Real paths of folders, besides the root and the sources, whose files may be added to the knowledge base. */
  uploadFolders?: string[]
  limits: Limits
  watch: boolean
  embedding: EmbeddingSettings
  rerank: RerankSettings
  allow: Allowances
  /** The files that name packages: the project's, and the user's for all projects. */
  contexts: { project: string; global: string }
  /** The browser that renders pages built by scripts; null: the first one found. */
  chromium: string | null
  /** Where guidelines, patterns and decisions lie besides the usual folders. */
  architecture?: ArchitectureSettings
}

export interface DataTrust {
  /** The user's state folder, which remembers the data folders that this user made. */
  state: string
  /** The data folder that is not used, because it is not known to be the user's. */
  untrusted: string | null
}

/** Paths, folders or globs below the root. */
export interface ArchitectureSettings {
  guidelines: string[]
  patterns: string[]
  adr: string[]
}

/** The settings, and what only the surfaces ask about. */
export interface Configuration extends Settings {
  tools: ToolSettings
  /** The configuration files that were read, the user's own first. */
  files: string[]
}

export interface FolderSettings {
  /** The alias. */
  name: string
  /** A real path. */
  path: string
  description?: string
  /** Globs relative to the folder. Without any, every file that can be read. */
  include: string[]
  exclude: string[]
  /** Not named as a source: it is one for the guidelines, patterns and decisions in it, of which there may be none yet. */
  implied?: true
}

export interface Limits {
  /** Files larger than this (bytes) are skipped. */
  fileBytes: number
  /** The same for PDF, Office and EPUB files, most of whose bytes are no text. */
  documentBytes: number
  /** How many threads read and parse. */
  workers: number
  /** How long one file may take (ms). */
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
  /** Calls a minute and client by tool, where the configuration changes a tool's own limit. Null: no limits at all. */
  rateLimits: Record<string, number> | null
}

/** What the user allowed in so many words. A project's own file cannot grant these. */
export interface Allowances {
  /** Files outside the root folder. */
  outside: boolean
  /** That a project's files name servers beyond this machine. */
  network: boolean
  /** That loopback and private addresses are fetched like any other. */
  privateNetwork: boolean
  /** That tools write notes where agents take instructions from, or programs their configuration: `.claude`, `AGENTS.md`. */
  agentFiles?: true
}
