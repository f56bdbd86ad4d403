// Where the program starts. A command that a running engine can answer goes to the engine: then only this file and the few
// it imports are loaded. Everything else is the work of main.ts.
import { join } from 'node:path'
import { cacheFolder } from '../home.js'
import { leaveWhenUnread, listenForInterruption } from '../interruption.js'
import type { McpPlace } from '../mcp.js'
import { connectToEngine, type EngineConnection } from './client.js'
import { answersQuestions, guessDataFolder, readSharedCommand } from './command-line.js'
import { loadProgram } from './load-program.js'

/** Runs the command line, in the engine of the project if there is one. */
export async function start(argv: readonly string[]): Promise<void> {
  if (!(await runInEngine(argv))) await runHere(argv)
}

/** The library, for programs that import it. */
export const loadLibrary = () => loadProgram(null).program.library()

/** Until a server has answered its first questions. Then what answers are made of is compiled. */
const serverCompilesMs = 5_000

async function runHere(argv: readonly string[], place?: McpPlace) {
  const { program, keepCode } = loadProgram(codeFolder())
  // Other commands use less of the program, or seldom run.
  if (!answersQuestions(argv)) return program.main(argv, place)
  const timer = setTimeout(keepCode, serverCompilesMs).unref()
  await program.main(argv, place)
  clearTimeout(timer)
  keepCode()
}

function codeFolder(): string | null {
  try {
    return join(cacheFolder(), 'code')
  } catch {
    return null
  }
}

/** How long a command waits for an engine before it works alone, which takes longer than this. */
const commandWaitMs = 150
/** A server stays for long: it is worth waiting for an engine that is busy. */
const serverWaitMs = 2_000

async function runInEngine(argv: readonly string[]): Promise<boolean> {
  const command = readSharedCommand(argv)
  if (command === null) return false
  const data = guessDataFolder(command)
  const waitMs = command.command === 'mcp' ? serverWaitMs : commandWaitMs
  const engine = await connectToEngine(data, { argv, waitMs }).catch(() => null)
  if (engine === null || engine === 'alone') return false
  if (command.command !== 'mcp') return runCommand(engine)
  const { relayMcp } = await import('./relay.js')
  await relayMcp(engine, { data, argv, serve: (place) => runHere(argv, place) })
  return true
}

/** Shows what the engine answers. False: the engine died before it answered, and the command can be run again. */
async function runCommand(engine: EngineConnection): Promise<boolean> {
  leaveWhenUnread()
  const interruption = listenForInterruption(process.stderr)
  interruption.signal.addEventListener('abort', () => engine.send('stop'))
  if (engine.ready.input) sendInput(engine)
  let code: number | null = null
  let printed = false
  await engine.receive((kind, payload) => {
    if (kind === 'exit') code = Number(payload.toString())
    if (kind === 'out') {
      printed = true
      process.stdout.write(payload)
    }
    if (kind === 'err') process.stderr.write(payload)
  })
  interruption.end()
  if (code === null && engine.ready.repeatable && !printed && !interruption.signal.aborted) return false
  if (code === null && !interruption.signal.aborted)
    process.stderr.write(
      'error: The process that answered ended before it was done. Check whether the call took effect, then repeat it.\n',
    )
  process.exitCode = interruption.code() ?? code ?? 1
  return true
}

function sendInput(engine: EngineConnection) {
  process.stdin.on('data', (chunk: Buffer) => {
    if (engine.send('input', chunk)) return
    process.stdin.pause()
    engine.socket.once('drain', () => process.stdin.resume())
  })
  process.stdin.on('end', () => engine.send('end'))
  engine.socket.once('close', () => process.stdin.destroy())
}
