// `carrel tool NAME '{json}'`: any tool from a shell, with the result it has over MCP.
import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { Problem, reasonOf } from '../../model/problem.js'
import type { Answer, Executor, ExposedTool } from '../../server/executor.js'
import type { Registry } from '../../server/registry.js'
import { jsonText, safe, safeJson, safeLine } from './terminal.js'

export interface ToolCommand {
  name: string
  /** The arguments as JSON; `-` reads them from standard input; nothing means none. */
  json?: string
  /** Prints one JSON value on stdout, for a failure too. */
  asJson?: boolean
  /** Omits notes and progress. */
  quiet?: boolean
  /** Names the connection in a process that has several. */
  session?: string | undefined
  signal?: AbortSignal
}

export interface Terminal {
  stdin: NodeJS.ReadableStream
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown; isTTY?: boolean }
}

/** Runs the command and returns the exit code: 0 answered, 1 failed, 2 not understood. */
export async function runTool<Services>(
  { registry, executor }: { registry: Registry<Services>; executor: Executor },
  { name, json, asJson = false, quiet = false, session, signal }: ToolCommand,
  terminal: Terminal = process,
): Promise<number> {
  let exposed: ExposedTool<Services>
  let args: unknown
  try {
    exposed = registry.tool(name)
    args = parseArguments(json === '-' ? await readText(terminal.stdin) : json)
  } catch (error) {
    terminal.stderr.write(`${safe(reasonOf(error))}\n`)
    if (asJson) terminal.stdout.write(jsonText({ error: usageError(error) }))
    return 2
  }
  const answer = await executor.call(exposed, registry.services, args, {
    client: { id: 'cli', name: 'cli' },
    session,
    signal,
    progress: (done, total, message) => !quiet && showProgress(terminal, done, total, message),
  })
  print(quiet ? { ...answer, note: undefined } : answer, terminal, asJson)
  return exitCode(answer)
}

/** The names of the tools with a line each, for `carrel tool` without a name. */
export function toolList<Services>(registry: Registry<Services>, { asJson = false } = {}): string {
  if (asJson)
    return jsonText([...registry.tools.values()].map(({ tool: { name, summary } }) => ({ name, summary })))
  const width = Math.max(0, ...[...registry.tools.keys()].map((name) => name.length))
  return [...registry.tools.values()]
    .map(({ tool }) => `${tool.name.padEnd(width)}  ${tool.summary.split(/(?<=\.)\s/)[0]}\n`)
    .join('')
}

function usageError(error: unknown) {
  if (!(error instanceof Problem)) return { code: 'usage', message: reasonOf(error) }
  const { code, message, hint } = error
  return { code, message, ...(hint ? { hint } : {}) }
}

function print(
  { isError, text, value, failure, note }: Answer,
  { stdout, stderr }: Terminal,
  asJson: boolean,
) {
  const shown = typeof value === 'string' ? safe(text) : safeJson(text)
  if (note !== undefined) stderr.write(`note: ${safe(note)}\n`)
  if (isError) stderr.write(`${shown}\n`)
  else if (!asJson) stdout.write(`${shown}\n`)
  if (!asJson) return
  const { code = 'failed', message = text, hint } = failure ?? {}
  stdout.write(
    jsonText(
      isError ? { error: { code, message, ...(hint ? { hint } : {}) } } : value === undefined ? text : value,
    ),
  )
}

/** Refuses bytes that are not UTF-8: decoding would replace them, and the tool might store the replacements. */
async function readText(stdin: NodeJS.ReadableStream): Promise<string> {
  const bytes = await buffer(stdin)
  if (isUtf8(bytes)) return bytes.toString().replace(/^\ufeff/, '')
  throw new Error('Standard input is not UTF-8. Convert it first, for example with "iconv -t utf-8".')
}

function parseArguments(json: string | undefined): unknown {
  if (json === undefined || json.trim() === '') return {}
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new Error(
      `The arguments are not valid JSON: ${(error as Error).message}. Write them as '{"name": "value"}'.`,
    )
  }
}

function showProgress(terminal: Terminal, done: number, total?: number, message?: string) {
  if (!terminal.stderr.isTTY) return
  terminal.stderr.write(
    `\r\x1b[K${done}${total === undefined ? '' : `/${total}`} ${safeLine(message ?? '')}${done === total ? '\n' : ''}`,
  )
}

// Some toolsets return failures as ordinary results. The exit code still says that the call failed.
function exitCode({ isError, failure }: Answer): number {
  if (failure) return failure.kind === 'invalid' ? 2 : 1
  return isError ? 1 : 0
}
