// Renders pages that scripts build, as a browser shows them. Off by default.
import type { Connect, Failure, Refusal, Resolve } from './fetch.js'
import { whenNeeded } from './fetch.js'
import type { ProxyLimits } from './guard-proxy.js'

/** Nothing is loaded or started before the first page. */
export function openRenderer(options: RendererOptions): Renderer {
  const engine = whenNeeded(async () => {
    const { guardedRenderer } = await import('./guarded-renderer.js')
    return guardedRenderer(options)
  })
  return {
    render: async (url, request) => (await engine.get()).render(url, request),
    close: engine.close,
  }
}

export interface Renderer {
  /** Throws a Problem if there is no browser. Errors of a page are values. */
  render(url: string, options: RenderOptions): Promise<Rendered>
  close(): Promise<void>
}

export interface RendererOptions {
  /** The browser's executable; null: the first that is found. */
  chromium: string | null
  /** Where executables are looked for, as in PATH. */
  searchPath: string
  allowPrivateNetwork: boolean
  resolve?: Resolve | undefined
  connect?: Connect | undefined
  limits?: Partial<ProxyLimits> | undefined
}

export interface RenderOptions {
  signal: AbortSignal
  /** For all of it (30 s by default). */
  timeMs?: number
  /** The largest page, in characters (10 million by default). */
  maxChars?: number
  /** Asked for every server that the page or one of its parts wants, by `scheme://host:port/`: null, or why not. */
  checkUrl?: (url: URL) => string | null
}

export type Rendered =
  | { state: 'ok'; url: string; status: number; html: string; refused: readonly string[] }
  | { state: 'refused'; url: string; code: Refusal; reason: string }
  | { state: 'failed'; url: string; code: Failure; reason: string; status: number | null; retryable: boolean }
