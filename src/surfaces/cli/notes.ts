import type { Command } from 'commander'
import type { Library } from '../../answer/library.js'
import type { Note } from '../../model/problem.js'
import type { Context, GlobalFlags } from './context.js'
import { globalFlags } from './options.js'
import { colours, safe } from './terminal.js'

/** Prints notes on stderr; nothing with --quiet. */
export function tellNotes(context: Context, notes: readonly Note[], flags: GlobalFlags) {
  if (flags.quiet) return
  const paint = colours(context.err, context.env, flags.color)
  for (const note of notes) context.err.write(`${paint.yellow('note:')} ${safe(note.message)}\n`)
}

/** Prints what a command did. With --quiet, prints only failures. */
export function tellDone(context: Context, text: string, flags: GlobalFlags, { wrong = false } = {}) {
  if (!flags.quiet || wrong) context.out.write(text)
}

/** One note in words of its own. */
export function tellNote(context: Context, message: string, flags: GlobalFlags) {
  tellNotes(context, [{ code: 'note', message }], flags)
}

/** Says beside an empty answer what is not indexed. */
export async function tellOfIndex(context: Context, command: Command, library: Library) {
  const { indexNotes } = await import('../../answer/notes/answer-notes.js')
  tellNotes(context, await indexNotes(library, { isEmpty: true }), globalFlags(command))
}
