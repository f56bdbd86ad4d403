import type { Note } from '../../model/problem.js'
import type { Context, GlobalFlags } from './context.js'
import { colours, safe } from './terminal.js'

/** Notes beside an answer: on stderr, and not at all with --quiet. */
export function tellNotes(context: Context, notes: readonly Note[], flags: GlobalFlags) {
  if (flags.quiet) return
  const paint = colours(context.err, context.env, flags.color)
  for (const note of notes) context.err.write(`${paint.yellow('note:')} ${safe(note.message)}\n`)
}
