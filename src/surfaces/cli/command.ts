// What the commands share: settings, the library, and how results and notes are printed.
import type { Command } from 'commander'
import type { Library } from '../../answer/library.js'
import { type Note, reasonOf } from '../../model/problem.js'
import type { IndexProgress } from '../../model/reports.js'
import type { Configuration } from '../../model/settings.js'
import type { Context, GlobalFlags } from './context.js'
import { globalFlags } from './options.js'
import { colours, jsonText, type Look, safe, widthOf } from './terminal.js'

/** Reads the settings of a command and prints their notes. */
export async function settingsFor(context: Context, command: Command): Promise<Configuration> {
  const flags = globalFlags(command)
  const { settings, notes } = await context.settings(flags)
  printNotes(context, notes, flags)
  return settings
}

/** Opens the library while the work runs. `reading`: the work stores nothing, so no data folder is created. `asking`: it
 * begins with a question, so the model is loaded at once. */
export async function withLibrary<T>(
  context: Context,
  command: Command,
  work: (library: Library, settings: Configuration) => Promise<T>,
  { reading = false, asking = false } = {},
): Promise<T> {
  const settings = await settingsFor(context, command)
  const onNote = (note: Note) => printNotes(context, [note], globalFlags(command))
  const library = await context.services.open(settings, { reading, asking, onNote })
  try {
    return await work(library, settings)
  } finally {
    await library.close()
  }
}

export interface Result {
  /** What --json prints. */
  json: unknown
  text(look: Look): string
  /** Whether --quiet hides the text. */
  quiet?: boolean
}

/** Prints a result: one JSON value with --json, otherwise text. */
export function printResult(context: Context, command: Command, { json, text, quiet = false }: Result) {
  const flags = globalFlags(command)
  if (flags.json) return context.out.write(jsonText(json))
  if (flags.quiet && quiet) return
  const paint = colours(context.out, context.env, flags.color)
  context.out.write(text({ paint, width: widthOf(context.out) }))
}

/** Prints notes on stderr; nothing with --quiet. */
export function printNotes(context: Context, notes: readonly Pick<Note, 'message'>[], flags: GlobalFlags) {
  if (flags.quiet) return
  const paint = colours(context.err, context.env, flags.color)
  for (const { message } of notes) context.err.write(`${paint.yellow('note:')} ${safe(message)}\n`)
}

/** For an empty answer: prints what is not indexed. */
export async function printIndexNotes(context: Context, command: Command, library: Library) {
  const { indexNotes } = await import('../../answer/notes/answer-notes.js')
  printNotes(context, await indexNotes(library, { isEmpty: true }), globalFlags(command))
}

/** Embeds what has no vectors yet. If the model fails, the command goes on: search by words works without vectors. */
export async function embedRest(
  context: Context,
  library: Library,
  flags: GlobalFlags,
  onProgress: (progress: IndexProgress) => void,
): Promise<{ embedded?: number }> {
  const { services, signal } = context
  try {
    return await services.fillVectors(library, { signal, onProgress })
  } catch (error) {
    if (signal.aborted) throw error
    const message = `not everything could be embedded; search finds the rest by words. ${reasonOf(error)}`
    printNotes(context, [{ message }], flags)
    return {}
  }
}
