// How a process of the command line ends: interrupted, or because nobody reads its output.
import type { Output } from '../surfaces/cli/context.js'

// `carrel search … | head -1` closes our stdout: the reader has what it wanted, so that is success. Output into a file on
// a full disk is lost, and that is a failure.
export function leaveWhenUnread() {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`error: The output could not be written: ${error.message}.\n`)
    process.exit(1)
  })
  // Nobody is left to be told that nobody listens.
  process.stderr.on('error', () => {})
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** The first interruption asks the work to stop, the second does not ask. */
export function listenForInterruption(err: Output): {
  signal: AbortSignal
  /** What the shell expects of a process that was interrupted; null while it was not. */
  code(): number | null
  end(): void
} {
  const controller = new AbortController()
  let code: number | null = null
  const interrupt = (name: keyof typeof exitCodes) => {
    // A terminal that closes may say so twice, by itself and through its shell: that is nobody's impatience.
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
