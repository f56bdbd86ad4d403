// The program of every embedding worker: opens the engine that it was started for.
import type { BundledStart } from './bundled/engine.js'
import type { EntailStart } from './entail/engine.js'
import type { FolderStart } from './onnx/engine.js'
import { type Engine, serve } from './workers/serve.js'

type WorkerStart =
  | ({ engine: 'bundled' } & BundledStart)
  | ({ engine: 'entail' } & EntailStart)
  | ({ engine: 'embedder' | 'scorer' } & FolderStart)

serve<never, unknown>(async (data) => {
  const start = data as WorkerStart
  if (start.engine === 'bundled') {
    const { openBundledEngine } = await import('./bundled/engine.js')
    return openBundledEngine(start) as Promise<Engine<never, unknown>>
  }
  if (start.engine === 'entail') {
    const { openEntailEngine } = await import('./entail/engine.js')
    return openEntailEngine(start) as Promise<Engine<never, unknown>>
  }
  const { openFolderEmbedder, openFolderScorer } = await import('./onnx/engine.js')
  const open = start.engine === 'embedder' ? openFolderEmbedder : openFolderScorer
  return open(start) as Promise<Engine<never, unknown>>
})
