import type { Command } from 'commander'
import type { Library } from '../../answer/library.js'
import type { Note } from '../../model/problem.js'
import type { Configuration } from '../../model/settings.js'
import type { Context } from './context.js'
import { tellNotes } from './notes.js'
import { globalFlags } from './options.js'

/** The settings for a command; what a person should know about them goes to stderr. */
export async function settingsFor(context: Context, command: Command): Promise<Configuration> {
  const flags = globalFlags(command)
  const { settings, notes } = await context.settings(flags)
  tellNotes(context, notes, flags)
  return settings
}

/** Opens the library for as long as the work lasts. `reading`: the work keeps nothing, so no data folder is made for it. */
export async function withLibrary<T>(
  context: Context,
  command: Command,
  work: (library: Library) => Promise<T>,
  { reading = false } = {},
): Promise<T> {
  const settings = await settingsFor(context, command)
  const onNote = (note: Note) => tellNotes(context, [note], globalFlags(command))
  const library = await context.services.open(settings, { reading, onNote })
  try {
    return await work(library)
  } finally {
    await library.close()
  }
}
