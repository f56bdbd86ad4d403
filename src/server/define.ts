// A tool is a record: MCP, the command line, HTTP, the reference pages and the tests are all derived from it.

import type { z } from 'zod'
import type { ErrorShape, Failure } from './failure.js'
import type { Log } from './log.js'

/** What a call may do: read the index and files, write, or send requests to other machines. */
export type Effect = 'read' | 'write' | 'outside'

/** Who is calling. The id is what rate limits count by. */
export interface Client {
  id: string
  name?: string
  version?: string
}

/** What one running call may use besides the services. */
export interface Call {
  /** Aborted when the caller cancels, goes away, or the time limit passes. */
  signal: AbortSignal
  /** Call before the first step that cannot be undone: nothing stops the work after that. Throws if stopped already. */
  commit(): void
  /** Call with true while the work waits for other changes, with false when it begins. */
  inLine(waits: boolean): void
  /** Reports progress. Call it as often as you like: the surface throttles it. */
  progress(done: number, total?: number, message?: string): void
  /** The connection's session, where the protocol has one. */
  session: string | undefined
  client: Client
  log: Log
}

export interface Limits<Args> {
  /** How long the work may take: 10 s by default, at most 30 s. */
  timeMs?: number
  /** Added to the limit for calls that ask to wait (`wait_seconds`). */
  waitMs?(args: Args): number
  /** Calls a minute for one client; the configuration overrides it. */
  perMinute?: number
}

export interface Example<Args> {
  title: string
  args: Args
}

export interface Tool<
  Services = unknown,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Result = unknown,
> {
  name: string
  title: string
  /** The description that a model chooses the tool by: at most 600 characters, sent with every request. */
  summary: string
  input: Input
  output: Output
  effect: Effect
  /** Whether a write may delete or overwrite something. */
  destructive?: boolean
  /** Whether doing it twice changes nothing more. */
  idempotent?: boolean
  examples: Example<z.input<Input>>[]
  limits?: Limits<z.output<Input>>
  /**
   * The maximum of each number that is lowered to it rather than refused, and the answer says so. A specification clamps
   * these, or names no maximum for them. One that a specification refuses has its maximum in the input schema.
   */
  clamp?: { readonly [Field in keyof z.output<Input>]?: number }
  /** Capabilities without which the tool is not listed, such as `embedder`. */
  needs?: string[]
  /** The answer is plain text, written for a reader: no output schema is listed and no structured content is sent. */
  plain?: boolean
  /** The error text that the tool's specification gives for a wrong argument; null where it gives none. */
  wrong?(field: string, given: unknown): { message: string; hint?: string } | null
  run(services: Services, args: z.output<Input>, call: Call): Promise<Result> | Result
  view(result: Result, args: z.output<Input>): z.input<Output>
  /** A note for an answer without a field for it; it replaces the toolset's note. */
  note?(result: Result, args: z.output<Input>): string | null
}

/** Contents of a resource: text, or bytes as base64. */
export interface Contents {
  uri?: string
  mimeType?: string
  text?: string
  blob?: string
}

export interface ListedResource {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
}

export type Complete<Services> = (
  services: Services,
  value: string,
  args: Record<string, string>,
) => Promise<string[]> | string[]

/** One address, or a family of them (`template`, RFC 6570) with its listing and completions. */
export interface Resource<Services = unknown> {
  name: string
  title: string
  summary: string
  mimeType?: string
  uri?: string
  template?: string
  /** Other templates for the same resource, not listed. */
  alsoAt?: string[]
  needs?: string[]
  limits?: Pick<Limits<unknown>, 'timeMs'>
  list?(services: Services): Promise<ListedResource[]> | ListedResource[]
  /** Null when nothing is at that address. */
  read(
    services: Services,
    request: { uri: string; variables: Record<string, string> },
    call: Call,
  ): Promise<Contents | Contents[] | null> | Contents | Contents[] | null
  complete?: Record<string, Complete<Services>>
}

export interface PromptArgument<Services> {
  name: string
  description: string
  required?: boolean
  complete?: Complete<Services>
}

export type PromptContent =
  | { type: 'text'; text: string }
  | { type: 'resource'; resource: { uri: string; mimeType?: string; text: string } }

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: PromptContent
}

export interface PromptAnswer {
  description?: string
  messages: PromptMessage[]
  /** For programs. */
  _meta?: Record<string, unknown>
}

export interface Prompt<Services = unknown> {
  name: string
  title: string
  summary: string
  arguments: PromptArgument<Services>[]
  needs?: string[]
  get(services: Services, args: Record<string, string>, call: Call): Promise<PromptAnswer> | PromptAnswer
}

/**
 * Prompts may come from files that change while the server runs, and describe tools that the client is offered; then the
 * toolset gives a function.
 */
export type Prompts<Services> =
  | readonly Prompt<Services>[]
  | ((
      services: Services,
      offered: readonly AnyTool<Services>[],
    ) => Promise<readonly Prompt<Services>[]> | readonly Prompt<Services>[])

// biome-ignore lint/suspicious/noExplicitAny: a list of tools with different schemas has no narrower common type.
export type AnyTool<Services> = Tool<Services, any, any, any>

export interface Toolset<Services = unknown> {
  name: string
  title: string
  /** One sentence for the server's instructions: what a reader would use these tools for. */
  purpose: string
  errorShape: ErrorShape
  /** Listed only where a setting names it. */
  optIn?: boolean
  tools: readonly AnyTool<Services>[]
  /** A note for an answer without a field for it, for example why an empty list is empty. */
  note?(
    services: Services,
    args: Readonly<Record<string, unknown>>,
    answer: { isNothing: boolean },
  ): Promise<string | null>
  resources?: readonly Resource<Services>[]
  prompts?: Prompts<Services>
}

/** Declares a tool. Unknown arguments are errors, so the input schema is made strict here. */
export function defineTool<Services, Input extends z.ZodObject, Output extends z.ZodType, Result>(
  tool: Tool<Services, Input, Output, Result>,
): Tool<Services, Input, Output, Result> {
  return Object.freeze({ ...tool, input: tool.input.strict() as unknown as Input })
}

export function defineResource<Services>(resource: Resource<Services>): Resource<Services> {
  return Object.freeze(resource)
}

export function defineToolset<Services>(toolset: Toolset<Services>): Toolset<Services> {
  return Object.freeze(toolset)
}

/** The hints that clients show and act on. */
export function annotationsOf(tool: Pick<Tool, 'title' | 'effect' | 'destructive' | 'idempotent'>) {
  const reads = tool.effect === 'read'
  return {
    title: tool.title,
    readOnlyHint: reads,
    destructiveHint: !reads && (tool.destructive ?? false),
    idempotentHint: reads || (tool.idempotent ?? false),
    openWorldHint: tool.effect === 'outside',
  }
}

/** The result as text: a sentence as it is, anything else as compact JSON, complete. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
}

/** The result as an object: lists, sentences, numbers and null sit under `result`, with their note beside them. */
export function structuredOf(value: unknown, note?: string): Record<string, unknown> {
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return value as Record<string, unknown>
  return { result: value ?? null, ...(note !== undefined && { note }) }
}

// --- Hints name tools. A sentence that names a tool that this client cannot use is removed.

export type HiddenTools = readonly { name: string }[]

/** Removes the sentences that name one of these tools. */
export function hideToolNames(text: string, withheld: HiddenTools): string {
  if (!withheld.some(({ name }) => text.includes(name))) return text
  const sentences = text.match(/\S.*?(?:[.!?](?=\s)|$)/gs) ?? []
  return sentences.filter((one) => !withheld.some(({ name }) => isNamed(one, name))).join(' ')
}

/** Removes such sentences from the hint of a failure. */
export function hideUnavailableToolsInFailure(
  { hint, details, ...failure }: Failure,
  withheld: HiddenTools,
): Failure {
  const left = hint && hideToolNames(hint, withheld)
  return {
    ...failure,
    ...(left && { hint: left }),
    ...(details && { details: withFallback(details, withheld) }),
  }
}

/** `fallback` is a sentence too: it names another tool to call. */
function withFallback({ fallback, ...facts }: NonNullable<Failure['details']>, withheld: HiddenTools) {
  const left = typeof fallback === 'string' && hideToolNames(fallback, withheld)
  return left ? { ...facts, fallback } : facts
}

/** Removes such sentences from a result that is a sentence, and from the note of a result. */
export function hideUnavailableTools(value: unknown, withheld: HiddenTools): unknown {
  if (typeof value === 'string') return hideToolNames(value, withheld) || value
  if (!isNoted(value)) return value
  const { note, ...rest } = value
  const left = hideToolNames(note, withheld)
  return left === note ? value : { ...rest, ...(left && { note: left }) }
}

function isNoted(value: unknown): value is { note: string } {
  return typeof value === 'object' && value !== null && 'note' in value && typeof value.note === 'string'
}

// A name that is also an English word counts as a tool only at the start of a sentence. A name in quotes or in a path is
// something else.
function isNamed(sentence: string, name: string): boolean {
  if (/^[a-z]+$/.test(name)) return sentence.startsWith(`${name} `)
  return new RegExp(`(?<![\\w"'/.-])${name}(?![\\w"'/-]|\\.\\w)`).test(sentence)
}
