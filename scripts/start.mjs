// `npm start`: sets itself up, then serves. Without a folder it serves the sample library, whose index is kept beside
// this clone's own files, so that the sample stays as it came.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root, setUp } from './setup.mjs'

setUp()
const given = process.argv.slice(2)
const child = spawn(
  process.execPath,
  [join(root, 'bin', 'carrel.mjs'), 'serve', ...defaults(given), ...given],
  {
    stdio: 'inherit',
  },
)
// The server hears Ctrl-C itself and closes in order; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (signal !== 'SIGINT') child.kill(signal)
  })
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
})

function defaults(args) {
  if (says(args, '--root') || process.env.CARREL_ROOT) return []
  const data = says(args, '--data') || process.env.CARREL_DATA ? [] : ['--data', join(root, '.carrel')]
  return ['--root', join(root, 'examples', 'library'), ...data]
}

function says(args, option) {
  return args.some((arg) => arg === option || arg.startsWith(`${option}=`))
}
