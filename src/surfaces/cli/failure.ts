// Reports errors: as text on stderr and, with --json, as JSON on stdout. A stack trace only with CARREL_DEBUG.
import { CommanderError } from 'commander'
import { Problem } from '../../model/problem.js'
import type { Context } from './context.js'
import { colours, jsonText, safe } from './terminal.js'

/** Reports an error and returns its exit code. */
export function reportError(
  context: Context,
  error: unknown,
  { json, color }: { json: boolean; color: boolean },
): number {
  const { code, message, hint } = failureOf(error)
  if (json) context.out.write(jsonText({ error: { code, message, ...(hint ? { hint } : {}) } }))
  // Commander has shown the help already.
  if (error instanceof CommanderError && error.code === 'commander.help') return 2
  const paint = colours(context.err, context.env, color)
  context.err.write(`${paint.red('error:')} ${safe(message)}\n${hint ? `${safe(hint)}\n` : ''}`)
  if (context.env.CARREL_DEBUG && error instanceof Error) context.err.write(`${safe(wholeStack(error))}\n`)
  return wrongUse.has(code) ? 2 : 1
}

// Errors in the command line or the configuration, independent of the index.
const wrongUse: ReadonlySet<string> = new Set([
  ...['usage', 'bad_configuration', 'unknown_name', 'bad_alias', 'bad_url'],
  ...['insecure_bind', 'weak_token', 'bad_host', 'bad_origin'],
  ...['no_project_file', 'no_address'],
])

interface Failure {
  code: string
  message: string
  hint?: string | undefined
}

function failureOf(error: unknown): Failure {
  if (error instanceof Problem) return error
  if (error instanceof CommanderError) return usage(error)
  if ((error as NodeJS.ErrnoException)?.syscall === 'uv_cwd')
    return {
      code: 'usage',
      message: 'The current folder does not exist any more.',
      hint: 'Change to a folder that exists.',
    }
  const text = error instanceof Error ? error.message : String(error)
  return {
    code: 'internal',
    message: `Something went wrong inside Carrel: ${text.split('\n')[0]}`,
    hint: 'This is a bug. Run the command again with CARREL_DEBUG=1 to see where it happened.',
  }
}

// Commander's errors look like "error: unknown option '--forec'\n(Did you mean --force?)".
function usage({ code, message }: CommanderError): Failure {
  if (code === 'commander.help') return { code: 'usage', message: 'No command was given.', hint: helpHint }
  const [, text = message, meant] = /^(?:error: )?(.*?)\s*(?:\n\((.*)\))?$/s.exec(message) ?? []
  const sentence = text.charAt(0).toUpperCase() + text.slice(1).trim()
  return {
    code: 'usage',
    message: /[.?!]$/.test(sentence) ? sentence : `${sentence}.`,
    hint: meant ?? (/^unknown option '.*\s/s.test(text) ? dashHint : helpHint),
  }
}

const dashHint = 'Put "--" before text that begins with a dash.'

const helpHint = 'carrel --help shows the commands, carrel COMMAND --help their options.'

function wholeStack(error: Error): string {
  const stack = error.stack ?? String(error)
  return error.cause instanceof Error ? `${stack}\ncaused by ${wholeStack(error.cause)}` : stack
}
