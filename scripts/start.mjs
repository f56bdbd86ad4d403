// `npm start`: sets itself up, then serves. Without a folder it serves the sample library.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root, setUp } from './setup.mjs'

setUp()
const given = process.argv.slice(2)
const child = spawn(
  process.execPath,
  [join(root, 'bin', 'carrel.mjs'), 'serve', ...defaults(given), ...given],
  // npm runs this in the clone; a path that was typed is meant from where it was typed.
  { stdio: 'inherit', cwd: process.env.npm_lifecycle_event === 'start' ? process.env.INIT_CWD : undefined },
)
let interrupted = false
process.on('SIGINT', () => {
  interrupted = true
  // From a terminal the server hears Ctrl-C itself and closes in order; sent to this process alone, it does not. So it
  // is passed on, but later and as a hang-up: a server that is stopping already does not take that for impatience.
  if (process.platform !== 'win32') setTimeout(() => child.kill('SIGHUP'), 200).unref()
})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  process.exitCode = interrupted ? 130 : (code ?? (signal === 'SIGINT' ? 130 : 143))
})

function defaults(args) {
  return says(args, '--root') || process.env.CARREL_ROOT ? [] : ['--root', join(root, 'examples', 'library')]
}

function says(args, option) {
  return args.some((arg) => arg === option || arg.startsWith(`${option}=`))
}
