// A small process that starts ripgrep for a large one, see ripgrep-helper.ts. It ends with its owner.
import { type ChildProcess, spawn } from 'node:child_process'
import type { FromHelper, StartMessage, ToHelper } from './ripgrep-helper.js'

const running = new Map<number, ChildProcess>()

process.on('message', (message: ToHelper) => {
  if ('start' in message) start(message)
  else if ('more' in message) running.get(message.more)?.stdout?.resume()
  else kill(running.get(message.kill))
})

process.on('disconnect', () => {
  for (const child of running.values()) child.kill('SIGKILL')
  process.exit()
})

// The process may have ended and have left output that nobody reads any more.
function kill(child: ChildProcess | undefined) {
  child?.kill('SIGKILL')
  child?.stdout?.destroy()
}

function start({ start: id, command, args, cwd }: StartMessage) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  running.set(id, child)
  let errors = ''
  child.stderr.on('data', (part: Buffer) => {
    if (errors.length < 10_000) errors += part.toString('utf8')
  })
  // The owner asks for each part, so that no more than one waits here.
  child.stdout.pause()
  child.stdout.on('data', (part: Buffer) => {
    child.stdout.pause()
    send({ id, part })
  })
  child.on('error', (error) => end({ id, failure: error.message }))
  child.on('close', (code) => end({ id, code, errors }))
}

function end(message: FromHelper) {
  running.delete(message.id)
  send(message)
}

function send(message: FromHelper) {
  if (process.connected) process.send!(message, () => {})
}
