// The entry of every embedding worker: opens the engine it was started for.
import type { BundledStart } from '../bundled/engine.js'
import { serve } from './serve.js'

await serve<string, Float32Array>(async (data, guard) => {
  const { openBundledEngine } = await import('../bundled/engine.js')
  return openBundledEngine(data as BundledStart, guard)
})
