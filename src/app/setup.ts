import { realpathSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
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
    inAnother: (await findRoot(cwd, undefined)) !== cwd,
    command: [lastingNode(env), launcher],
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

/**
 * This Node by a name that outlives its next upgrade: what the shell finds, if it is the same one. A package manager keeps each
 * version in a folder of its own and lets a link in the path point to the newest; a link made for one shell is gone with it.
 */
export function lastingNode(env: NodeJS.ProcessEnv, running = process.execPath): string {
  const real = (file: string) => {
    try {
      return realpathSync(file)
    } catch {
      return null
    }
  }
  const found = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.includes('fnm_multishells'))
    .map((folder) => join(folder, basename(running)))
    .find((file) => real(file) === real(running))
  return found ?? running
}

/** The options without a path, as they are written on a command line. */
function spokenWords({ set = [], ...allowed }: SetupRequest): string[] {
  return [
    ...set.flatMap((assignment) => ['--set', assignment]),
    ...(allowed.allowOutside ? ['--allow-outside'] : []),
    ...(allowed.allowNetwork ? ['--allow-network'] : []),
    ...(allowed.allowPrivateNetwork ? ['--allow-private-network'] : []),
    ...(allowed.allowAgentFiles ? ['--allow-agent-files'] : []),
  ]
}
