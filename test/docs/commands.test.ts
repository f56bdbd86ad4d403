// Runs every command that README and the guide show in console blocks, over a copy of the sample library, and compares
// what it prints. `GOLDEN=write npm test -- docs/commands` writes the outputs that differ into the pages.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { coverage, fillVectors } from '../../src/answer/vectors.js'
import { services } from '../../src/app/main.js'
import { version } from '../../src/app/version.js'
import { runProgram } from '../../src/surfaces/cli/program.js'
import { copySampleTo } from '../support/world.js'
import { isAsShown, shownCommands, withOutput, words } from './console.js'

const clone = join(import.meta.dirname, '..', '..', '..')
const guide = readdirSync(join(clone, 'docs/guide')).filter((name) => name.endsWith('.md'))
// "First ten minutes" makes the index that the others ask.
const first = 'docs/guide/first-ten-minutes.md'
const pages = [
  first,
  'README.md',
  ...guide.map((name) => `docs/guide/${name}`).filter((page) => page !== first),
]

const home = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-docs-')))
const library = join(home, 'examples', 'library')
// None of the variables of who runs the tests.
const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('CARREL_'))
const env = {
  ...Object.fromEntries(inherited),
  HOME: home,
  CARREL_STATE: join(home, '.state'),
  NO_COLOR: '1',
}
const startedIn = process.cwd()
const stopped = new AbortController()
const site = createServer(answerAsSite)
let server: Promise<unknown> | null = null
let port = 0

before(async () => {
  copySampleTo(library)
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
})

after(async () => {
  process.chdir(startedIn)
  stopped.abort()
  await server
  site.closeAllConnections()
  site.close()
  rmSync(home, { recursive: true, force: true })
})

describe('the commands shown', () => {
  for (const page of pages)
    test(`print the documented output: ${page}`, async () => {
      const path = join(clone, page)
      let text = readFileSync(path, 'utf8')
      const wrong: string[] = []
      let moved = 0
      for (const shown of shownCommands(text)) {
        const actual = asOnThePage(await run(shown.command, page === 'README.md' ? home : library))
        if (isAsShown(shown.output, actual)) continue
        wrong.push(`line ${shown.line}: ${shown.command}\n${actual}`)
        const at = { ...shown, line: shown.line + moved }
        const written = withOutput(text, at, actual)
        moved += written.split('\n').length - text.split('\n').length
        text = written
      }
      if (process.env.GOLDEN === 'write') writeFileSync(path, text)
      else
        assert.deepEqual(
          wrong,
          [],
          'GOLDEN=write npm test -- docs/commands writes the outputs; read the diff',
        )
    })
})

async function run(command: string, cwd: string): Promise<string> {
  const [line, filter] = command.split(' | ')
  const [name, ...rest] = words(onThisMachine(line!))
  const output = await start(name!, rest, cwd)
  if (!filter) return output
  const lines = /^head -(\d+)$/.exec(filter)?.[1]
  assert.ok(lines, `this test knows no "| ${filter}"`)
  return output.split('\n').slice(0, Number(lines)).join('\n')
}

async function start(name: string, args: string[], cwd: string): Promise<string> {
  if (name === 'cat') return readFileSync(join(cwd, args[0]!), 'utf8')
  if (name === 'curl') return fetchAsCurl(args)
  if (name === 'npm' && args[0] === 'start') return serve(['serve', '--root', library], cwd)
  assert.equal(name, 'carrel', `this test does not know how to run ${name}`)
  return args[0] === 'serve' ? serve(args, cwd) : carrel(args, cwd)
}

/** One command line in this process. Both streams are shown in the order they were written. */
async function carrel(
  args: string[],
  cwd: string,
  signal = new AbortController().signal,
  seen?: (all: string) => void,
) {
  let output = ''
  const write = (text: string) => {
    // On a busy machine a command may say how far it is.
    if (/^(Reading|Embedding|Crawling)\b.*\d+\/\d+/.test(text)) return
    output += text
    seen?.(output)
  }
  const { loadSettings } = await import('../../src/app/config/load.js')
  // A path is meant from where it is typed.
  process.chdir(cwd)
  await runProgram(
    {
      version: version(),
      out: { write },
      stdin: process.stdin,
      err: { write },
      env,
      signal,
      services: { ...services, embedBehind },
      settings: (flags) => loadSettings({ flags, env, cwd, home }),
      exit: () => {},
    },
    args,
  )
  return output
}

/** As the engine does, but in this process, and done before the next command. */
const embedBehind: typeof services.embedBehind = async (library) => {
  if (!library.embedder) return null
  const { missing } = await coverage(library.store, library.embedder.model)
  await fillVectors(library)
  return missing || null
}

/** The server that is shown keeps running for the pages that ask it. */
async function serve(args: string[], cwd: string): Promise<string> {
  assert.equal(server, null, 'one server is enough for all pages')
  return new Promise((resolve, reject) => {
    const seen = (all: string) => {
      port ||= Number(/127\.0\.0\.1:(\d+)/.exec(all)?.[1] ?? 0)
      if (/^Open http.*\n/m.test(all)) resolve(all)
    }
    server = carrel([...args, '--port', '0', '--log-level', 'silent'], cwd, stopped.signal, seen)
    server.catch(reject)
  })
}

async function fetchAsCurl(args: string[]): Promise<string> {
  const data = args.includes('-d') ? args[args.indexOf('-d') + 1] : undefined
  const url = args.find((arg) => arg.startsWith('http'))!
  const init = data ? { method: 'POST', body: data, headers: { 'content-type': 'application/json' } } : {}
  return (await fetch(url, init)).text()
}

// Pages show the usual ports and a home of /home/you.
function onThisMachine(command: string): string {
  const { port: sitePort } = site.address() as { port: number }
  return command
    .replaceAll('127.0.0.1:7373', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:8000', `127.0.0.1:${sitePort}`)
}

function asOnThePage(output: string): string {
  return (
    output
      // On a busy machine the server still embeds what earlier pages wrote, or there is no time for meaning.
      .replace(/^note: \d+ of \d+ chunks are not embedded yet.*\n/m, '')
      .replace(/^note: There was no time to search by meaning.*\n/m, '')
      .replace(/^Waiting for process \d+, .*\n/m, '')
      .replaceAll(home, '/home/you')
      .replaceAll(`127.0.0.1:${port}`, '127.0.0.1:7373')
      .replaceAll(`:${(site.address() as { port: number }).port}`, ':8000')
  )
}

function answerAsSite({ url }: { url?: string }, response: import('node:http').ServerResponse) {
  const found: Record<string, string> = {
    '/': '<h1>Harbour handbook</h1><p>Start with <a href="/tides.html">tides</a> or <a href="/lamps.html">lamps</a>.</p>',
    '/tides.html':
      '<h1>Tides</h1><p>High water comes twice a day. Ferries wait for it at the outer quay.</p>',
    '/lamps.html':
      '<h1>Lamps</h1><p>The keeper trims the lamp before dusk. <a href="/gone.html">Spare wicks</a></p>',
  }
  const body = found[url ?? '']
  response.writeHead(body ? 200 : 404, { 'content-type': 'text/html' })
  response.end(`<!doctype html><title>Harbour</title><main>${body ?? 'Not found'}</main>`)
}
