export type Write = (text: string | Uint8Array, done?: (error?: Error | null) => void) => boolean

let stdoutWrite: Write | undefined

/**
 * Reserves standard output for the protocol: a library's stray print would corrupt it, so all other output to stdout
 * goes to stderr. Call it first when a process starts to serve; further calls have no effect.
 */
export function reserveStdout(): Write {
  if (stdoutWrite) return stdoutWrite
  stdoutWrite = process.stdout.write.bind(process.stdout) as Write
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
  return stdoutWrite
}
