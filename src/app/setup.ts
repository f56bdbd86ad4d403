import { fileURLToPath } from 'node:url'
import type { SetupRequest } from '../surfaces/cli/context.js'
import { changedLines, setupClient } from '../surfaces/cli/setup/setup.js'
import { loadSettings } from './config/load.js'
import { findRoot } from './config/place.js'
import { homeFolder } from './home.js'

/** Writes this program into a client's configuration. */
export async function setup(options: SetupRequest) {
  const { env } = process
  const cwd = await findRoot(process.cwd(), options.root ?? (env.CARREL_ROOT || undefined))
  // What the client is to start must be able to start; a server at an address has a configuration of its own.
  if (!options.remove && options.url === undefined)
    await loadSettings({ flags: options, env, cwd: process.cwd(), home: homeFolder() })
  const launcher = fileURLToPath(new URL('../../../bin/carrel.mjs', import.meta.url))
  const result = setupClient({
    ...options,
    home: homeFolder(),
    cwd,
    command: [process.execPath, launcher],
    paths: { '--data': options.data, '--config': options.config },
    words: spokenWords(options),
    token: Boolean(env.CARREL_TOKEN),
    env,
  })
  return {
    result: { file: result.file, action: result.action, client: result.client, notes: result.notes },
    changedLines: changedLines(result),
  }
}

/** The options without a path, as they are written on a command line. */
function spokenWords({ set = [], ...allowed }: SetupRequest): string[] {
  return [
    ...set.flatMap((assignment) => ['--set', assignment]),
    ...(allowed.allowOutside ? ['--allow-outside'] : []),
    ...(allowed.allowNetwork ? ['--allow-network'] : []),
    ...(allowed.allowPrivateNetwork ? ['--allow-private-network'] : []),
  ]
}
