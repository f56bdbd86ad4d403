// Leaves the vectors to the engine, so that "carrel index" ends when words can be found.
import type { Library } from '../../answer/library.js'
import { coverage } from '../../answer/vectors.js'
import type { Configuration } from '../../model/settings.js'
import type { GlobalFlags } from '../../surfaces/cli/context.js'
import { askEngine } from './client.js'
import { startEngine } from './start-engine.js'

/** How many chunks the engine embeds behind this command. Null: none are left, or no engine would embed them. */
export async function embedBehind(
  { embedder, store }: Library,
  command: { settings: Configuration; flags: GlobalFlags },
): Promise<number | null> {
  if (!embedder || command.flags.share === false) return null
  const { missing } = await coverage(store, embedder.model)
  if (missing === 0) return null
  const engine = await askEngine(command.settings.data, 'about')
  // One of another version or with other settings may have another model, or none.
  const willEmbed = engine ? engine.model === embedder.model : startEngine(command)
  return willEmbed ? missing : null
}
