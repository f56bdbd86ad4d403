import type { Stage } from '../model/hit.js'
import type { Note } from '../model/problem.js'

/** One search under way: what is to be told about it. */
export interface Run {
  notes: Note[]
  stages: Stage[]
  /** When the answer is due. */
  end: number
}

export function isLate({ end }: Run): boolean {
  return performance.now() >= end
}

/** Tells it once, however often a stage is gone through. */
export function tell({ notes }: Run, code: string, message: string) {
  if (!notes.some((note) => note.code === code)) notes.push({ code, message })
}

/** A stage that is gone through again adds to its time, and stays cut short when it once was. */
export function record({ stages }: Run, stage: Stage) {
  const place = stages.findIndex(({ name }) => name === stage.name)
  const known = stages[place]
  if (!known) stages.push(stage)
  else stages[place] = { ...(known.state === 'cut' ? known : stage), ms: known.ms + stage.ms }
}

/** Times some work. `cut` tells why it was cut short, if it was. */
export async function timed<T>(
  run: Run,
  name: string,
  work: () => Promise<T>,
  cut: (result: T) => string | null = () => null,
): Promise<T> {
  const start = performance.now()
  const result = await work()
  const ms = performance.now() - start
  const reason = cut(result)
  record(run, reason === null ? { name, ms, state: 'ran' } : { name, ms, state: 'cut', reason })
  return result
}
