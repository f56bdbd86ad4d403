// Workflows: a prompt opens one, and each tool call with its id adds its result as a step. Kept for an hour.
import { randomUUID } from 'node:crypto'
import { type Library, libraryState } from '../../answer/library.js'
import { Problem } from '../../model/problem.js'
import { truncate } from '../../text/truncate.js'

export interface Workflow {
  id: string
  prompt: string
  arguments: Record<string, string>
  startedAt: number
  steps: WorkflowStep[]
}

export interface WorkflowStep {
  tool: string
  at: number
  /** One line for the next tool or client. */
  summary: string
  /** The whole result, unless it was too long to keep. */
  result: unknown
}

export interface Clock {
  now(): number
}

const kind = '~workflows'
const lifetimeMs = 3_600_000
/** The most memory for all workflows, estimated generously, and the estimate for an empty one. */
const memoryLimit = 32_000_000
const emptySize = 4_000
const mostSteps = 30
const mostResult = 10_000
const mostArgument = 2_000

export async function openWorkflow(
  library: Library,
  given: Pick<Workflow, 'prompt' | 'arguments'>,
  clock: Clock = Date,
): Promise<Workflow> {
  await prune(library, clock)
  const id = randomUUID()
  const short = Object.entries(given.arguments).map(([name, value]) => [name, truncate(value, mostArgument)])
  const workflow: Workflow = {
    id,
    ...given,
    arguments: Object.fromEntries(short),
    startedAt: clock.now(),
    steps: [],
  }
  await library.store.records.put(kind, id, workflow)
  return workflow
}

/** The workflow by that id, or a Problem: it never was, or its hour is over. */
export async function findWorkflow({ store }: Library, id: string, clock: Clock = Date): Promise<Workflow> {
  const found = isId(id) ? await store.records.get<Workflow>(kind, id) : null
  if (found && !isOver(found, clock)) return found
  throw new Problem(
    'not_found',
    `There is no workflow "${id.slice(0, 60)}".`,
    'A workflow is kept for one hour. Get the prompt again for a new one, or call without workflow_id.',
  )
}

/** Adds a tool's result. */
export async function addStep(
  { store }: Library,
  id: string,
  { tool, summary, result }: Pick<WorkflowStep, 'tool' | 'summary' | 'result'>,
  clock: Clock = Date,
): Promise<void> {
  const step: WorkflowStep = {
    tool,
    at: clock.now(),
    summary: truncate(summary, 300),
    result: shortened(result),
  }
  await store.records.update<Workflow>(kind, id, (before) =>
    before && !isOver(before, clock) ? { ...before, steps: [...before.steps, step].slice(-mostSteps) } : null,
  )
}

export function endsAt({ startedAt }: Workflow): Date {
  return new Date(startedAt + lifetimeMs)
}

function shortened(result: unknown): unknown {
  const text = JSON.stringify(result) ?? 'null'
  return text.length <= mostResult ? result : { truncated: truncate(text, mostResult) }
}

function isOver({ startedAt }: Workflow, clock: Clock): boolean {
  return clock.now() - startedAt >= lifetimeMs
}

/** Removes workflows whose hour is over and, if there are still too many, first the oldest without steps. */
async function prune(library: Library, clock: Clock) {
  const last = lastPruning(library)
  last.openedSince++
  if (Math.abs(clock.now() - last.at) < pruneEveryMs && last.openedSince < mostOpened) return
  Object.assign(last, { at: clock.now(), openedSince: 0 })
  const { store } = library
  const all = (await store.records.all<Workflow>(kind)).map(({ value }) => value)
  const living = all.filter((one) => !isOver(one, clock))
  const isUsed = ({ steps }: Workflow) => Number(steps.length > 0)
  living.sort((a, b) => isUsed(b) - isUsed(a) || b.startedAt - a.startedAt)
  const stay = new Set<string>()
  let used = 0
  for (const one of living) {
    used += reckoned(one)
    if (used <= memoryLimit) stay.add(one.id)
  }
  for (const { id } of all) if (!stay.has(id)) await store.records.delete(kind, id)
}

// Pruning looks at every workflow, so it is not done for each one that is opened.
const lastPruning = libraryState('last pruning of workflows', () => ({
  at: Number.NEGATIVE_INFINITY,
  openedSince: 0,
}))
const mostOpened = 100
const pruneEveryMs = 60_000

function reckoned({ arguments: given, steps }: Workflow): number {
  const written = Object.values(given).reduce((sum, value) => sum + value.length, 0)
  return emptySize + written + steps.length * mostResult
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
