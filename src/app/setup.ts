import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SetupRequest } from '../surfaces/cli/context.js'
import { changedLines, setupClient } from '../surfaces/cli/setup/setup.js'
import { loadSettings } from './config/load.js'
import { findRoot, isWithin } from './config/place.js'
import { homeFolder } from './home.js'

/** Writes this program into a client's configuration. */
export async function setup(options: SetupRequest) {
  const { env } = process
  const cwd = await findRoot(process.cwd(), options.root ?? (env.CARREL_ROOT || undefined))
  // The client will start this configuration, so it must be valid. A server at an address has its own.
  if (!options.remove && options.url === undefined)
    await loadSettings({ flags: options, env, cwd: process.cwd(), home: homeFolder() })
  const launcher = fileURLToPath(new URL('../../../bin/carrel.mjs', import.meta.url))
  const result = setupClient({
    ...options,
    home: homeFolder(),
    cwd,
    inAnother: (await findRoot(cwd, undefined)) !== cwd,
    command: [lastingNode(env), launcher],
    portableCommand: portableCommand(env, { launcher, root: cwd }),
    paths: { '--data': options.data, '--config': options.config },
    words: spokenWords(options),
    tools: toolWords(options.toolsets),
    token: Boolean(env.CARREL_TOKEN),
    env,
  })
  return {
    result: { file: result.file, action: result.action, client: result.client, notes: result.notes },
    changedLines: changedLines(result),
  }
}

/**
 * A path of this Node that survives its next upgrade: the one that the shell finds, if it is the same Node. Package
 * managers keep each version in its own folder, with a link in the path to the newest. A link that was made for one shell
 * does not last.
 */
export function lastingNode(env: NodeJS.ProcessEnv, running = process.execPath): string {
  const found = pathFolders(env)
    .filter((folder) => !folder.includes('fnm_multishells'))
    .map((folder) => join(folder, basename(running)))
    .find((file) => realPath(file) === realPath(running))
  return found ?? running
}

/**
 * A command that starts the program on other machines, too: `carrel`, if the shell finds this program by that name, or the
 * copy among the project's own packages. Package runners add folders to the path that the client will not have.
 */
export function portableCommand(
  env: NodeJS.ProcessEnv,
  { launcher, root }: { launcher: string; root: string },
): string[] | undefined {
  const real = realPath(launcher)
  const isThisOne = (file: string) => real !== null && realPath(file) === real
  const folders = pathFolders(env).filter((folder) => !/node_modules[\\/]\.bin|[\\/]_npx[\\/]/.test(folder))
  const installed = join('node_modules', 'carrel', 'bin', 'carrel.mjs')
  // npm writes a link on Unix, and on Windows a script beside its node_modules.
  const isCommand = (folder: string) =>
    isThisOne(join(folder, 'carrel')) ||
    (existsSync(join(folder, 'carrel.cmd')) && isThisOne(join(folder, installed)))
  if (folders.some(isCommand)) return ['carrel']
  const own = [join(root, installed), launcher].find((file) => isThisOne(file) && isWithin(root, file))
  return own === undefined ? undefined : ['node', own]
}

function pathFolders(env: NodeJS.ProcessEnv): string[] {
  return (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
}

function realPath(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
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

/** The desk unless others are named: it is made for agents, and costs them a quarter of the whole list. */
function toolWords(toolsets: string | undefined): string[] {
  if (toolsets === undefined) return ['--profile', 'desk']
  return toolsets === 'all' ? [] : ['--toolsets', toolsets]
}
