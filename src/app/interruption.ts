// Ends a process of the command line when it is interrupted, or when its output is no longer read.
import type { Output } from '../surfaces/cli/context.js'

// `carrel search … | head -1` closes our stdout: the reader has what it wanted, so that is success. Output into a file on
// a full disk is lost, and that is a failure.
export function leaveWhenUnread() {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`error: The output could not be written: ${error.message}.\n`)
    process.exit(1)
  })
  // There is no place left to report this error.
  process.stderr.on('error', () => {})
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** The first interruption asks the work to stop, the second does not ask. */
export function listenForInterruption(err: Output): {
  signal: AbortSignal
  /** The exit code that a shell expects after an interruption; null if there was none. */
  code(): number | null
  end(): void
} {
  const controller = new AbortController()
  let code: number | null = null
  const interrupt = (name: keyof typeof exitCodes) => {
    // A closing terminal may send SIGHUP twice, itself and through its shell. That is no impatient second Ctrl-C.
    if (controller.signal.aborted && name === 'SIGHUP') return
    code = exitCodes[name]
    if (controller.signal.aborted) process.exit(code)
    if (err.isTTY) err.write('\r\x1b[2KStopping; press Ctrl-C again to quit at once.\n')
    controller.abort(new Error(`interrupted by ${name}`))
  }
  const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
  for (const name of names) process.on(name, interrupt)
  return {
    signal: controller.signal,
    code: () => code,
    end() {
      for (const name of names) process.off(name, interrupt)
    },
  }
}
