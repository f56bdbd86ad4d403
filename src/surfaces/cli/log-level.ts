import type { Command } from 'commander'
import { Problem } from '../../model/problem.js'
import type { LogLevel } from '../../server/log.js'
import type { Context } from './context.js'
import { oneOf } from './options.js'

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[]

/** The option that says how much a server writes on stderr. */
export function logFlag(command: Command, usual: LogLevel): Command {
  return command.option(
    '--log-level <LEVEL>',
    `what is logged on stderr: ${levels.join(', ')}; info has a line for every call (CARREL_LOG_LEVEL; default: ${usual})`,
    oneOf(levels),
  )
}

/** The flag wins over the variable, and both over what is usual for the server. */
export function logLevelFor({ env }: Context, flag: LogLevel | undefined, usual: LogLevel): LogLevel {
  const written = env.CARREL_LOG_LEVEL?.trim().toLowerCase()
  if (flag || !written) return flag ?? usual
  const level = levels.find((one) => one === written)
  if (level) return level
  throw new Problem(
    'bad_configuration',
    `CARREL_LOG_LEVEL must be one of ${levels.join(', ')}, not ${JSON.stringify(env.CARREL_LOG_LEVEL)}.`,
    'Set it to info for a line about every call, or leave it out.',
  )
}
