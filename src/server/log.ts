import { pino } from 'pino'
import { loggableError } from './log-arguments.js'

/** The least a logger must do; pino's own shape. */
export interface Log {
  debug(facts: object, message?: string): void
  info(facts: object, message?: string): void
  warn(facts: object, message?: string): void
  error(facts: object, message?: string): void
  /** Whether a line of that level would be written; yes when the logger cannot say. */
  isLevelEnabled?(level: string): boolean
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Structured lines on stderr: stdout belongs to results and to the protocol. */
export function stderrLog({
  level = 'warn',
  to = pino.destination({ dest: 2, sync: true }),
}: {
  level?: LogLevel
  /** The standard error of a client in another process. */
  to?: { write(line: string): unknown }
} = {}): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: Error) => loggableError(error) },
    },
    { write: (line: string) => void to.write(line) },
  )
}

const nothing = () => {}
export const silentLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  isLevelEnabled: () => false,
}
