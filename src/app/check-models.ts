// Checks that the configured models work: opens each and uses it once, as a search would.
import { Problem, reasonOf } from '../model/problem.js'
import type { Check } from '../model/reports.js'
import type { Settings } from '../model/settings.js'
import { withTimeout } from '../runtime/timeout.js'
import { openComparison, openEmbedder, openReranker } from './embedder.js'

interface Model {
  readonly model: string
  close(): Promise<void>
}

/** Longer than the bundled model takes to be converted on a slow machine, which happens once. */
const longest = 30_000

export async function checkModels(
  { embedding, rerank }: Pick<Settings, 'embedding' | 'rerank'>,
  milliseconds = longest,
): Promise<Check[]> {
  const embedder = {
    name: 'model',
    open: () => openEmbedder(embedding),
    ask: (model: NonNullable<ReturnType<typeof openEmbedder>>, signal: AbortSignal) =>
      model.embed(['lantern'], { kind: 'query', signal }),
    without: 'Until it does, search is by words alone.',
    milliseconds,
  }
  const reranker = {
    name: 'reranker',
    open: () => openReranker(rerank),
    ask: (model: NonNullable<ReturnType<typeof openReranker>>, signal: AbortSignal) =>
      model.score('lantern', ['A lantern is a lamp.'], { signal }),
    without: 'Until it does, hits are not looked at twice.',
    milliseconds,
  }
  const comparison = {
    name: 'comparison',
    open: () => openComparison(embedding),
    ask: (model: NonNullable<ReturnType<typeof openComparison>>, signal: AbortSignal) =>
      model.compare([['Light the lantern.', 'Lanterns stay dark.']], { signal }),
    without: 'Until it does, proposals are compared with decisions by rules alone.',
    milliseconds,
  }
  const checks = [await checkModel(embedder), await checkModel(reranker), await checkModel(comparison)]
  return checks.filter((check) => check !== null)
}

interface ModelCheck<M extends Model> {
  name: string
  open(): M | null
  ask(model: M, signal: AbortSignal): Promise<unknown>
  /** How a search works while the model fails. */
  without: string
  milliseconds: number
}

/** Null if none is set up. A model that cannot be opened is an error for every command, one that does not answer is not. */
async function checkModel<M extends Model>(asking: ModelCheck<M>): Promise<Check | null> {
  const { name, without } = asking
  let model: M | null
  try {
    model = asking.open()
  } catch (error) {
    return { name, state: 'failed', ...describe(error) }
  }
  if (!model) return null
  try {
    await askInTime(asking, model)
    return { name, state: 'ok', message: `${model.model} answers.` }
  } catch (error) {
    const { message, hint } = describe(error)
    return { name, state: 'warning', message, hint: hint ? `${hint} ${without}` : without }
  } finally {
    await model.close()
  }
}

// Not every model stops when its signal fires, so the check stops waiting for it.
async function askInTime<M extends Model>({ ask, milliseconds }: ModelCheck<M>, model: M) {
  const late = Symbol('late')
  if ((await withTimeout<unknown, symbol>(milliseconds, late, (signal) => ask(model, signal))) === late)
    throw new Problem('no_answer', `${model.model} did not answer within ${milliseconds / 1000} s.`)
}

function describe(error: unknown): { message: string; hint?: string } {
  if (!(error instanceof Problem)) return { message: reasonOf(error) }
  const { message, hint } = error
  return { message, ...(hint ? { hint } : {}) }
}
