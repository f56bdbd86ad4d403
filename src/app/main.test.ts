// The compiled program as a process: what only a process can show.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const clone = fileURLToPath(new URL('../../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'carrel-main-'))
after(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  out: string
  err: string
  code: number | null
}

function carrel(argv: string[], env: Record<string, string> = {}): Promise<Ended> {
  return ended([join(clone, 'bin/carrel.mjs'), ...argv], env)
}

function ended(args: string[], env: Record<string, string> = {}, unread = false): Promise<Ended> {
  const plain = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('CARREL_')),
  )
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...plain, XDG_CONFIG_HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (unread) child.stdout.destroy()
  let out = ''
  let err = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    err += data
  })
  return new Promise((done) => child.on('close', (code) => done({ out, err, code })))
}

describe('the carrel process', () => {
  test('prints its version and its help', async () => {
    const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
    assert.deepEqual(await carrel(['--version']), { out: `${version}\n`, err: '', code: 0 })
    const help = await carrel(['search', '--help'])
    assert.deepEqual([help.err, help.code], ['', 0])
    assert.match(help.out, /^Finds [^\n]+\n[\s\S]*^Usage: carrel search/m)
  })

  test('ends with 2 and a suggestion on wrong use', async () => {
    const result = await carrel(['indx'])
    assert.deepEqual(result, {
      out: '',
      err: "error: Unknown command 'indx'.\nDid you mean index?\n",
      code: 2,
    })
  })

  test('ends with 2 on a configuration it cannot read, as JSON on request', async () => {
    mkdirSync(join(folder, 'bad'))
    writeFileSync(join(folder, 'bad/carrel.json'), '{\n  "wacth": true\n}\n')
    const result = await carrel(['status', '--json', '--root', 'bad'])
    assert.equal(result.code, 2)
    assert.deepEqual(JSON.parse(result.out), {
      error: {
        code: 'bad_configuration',
        message: 'Unknown key "wacth" (carrel.json, line 2).',
        hint: 'Did you mean "watch"?',
      },
    })
    assert.doesNotMatch(result.err, /\n\s+at /)
  })

  test('a limit on a tool that there is not is an error too', async () => {
    mkdirSync(join(folder, 'limits'))
    writeFileSync(join(folder, 'limits/carrel.json'), '{"rateLimits": {"perMinute": {"grep_codebse": 1}}}')
    const result = await carrel(['tool', '--root', 'limits'])
    const err =
      'error: There is no tool "grep_codebse" to limit in rateLimits.perMinute.\nDid you mean "grep_codebase"?\n'
    assert.deepEqual(result, { out: '', err, code: 2 })
  })

  test('a server that cannot start with its options exits with 2', async () => {
    mkdirSync(join(folder, 'wrong-tools'))
    for (const command of [['mcp'], ['serve', '--port', '0']]) {
      const result = await carrel([...command, '--root', 'wrong-tools', '--exclude-tools', 'grep_codebse'])
      const err = 'error: There is no tool "grep_codebse".\nDid you mean "grep_codebase"?\n'
      assert.deepEqual(result, { out: '', err, code: 2 })
    }
    const open = await carrel(['serve', '--root', 'wrong-tools', '--host', '0.0.0.0'])
    assert.equal(open.code, 2)
    assert.match(open.err, /and a token and the allowed host names are not set\.$/m)
  })

  test('an unknown variable is an error too', async () => {
    const result = await carrel(['status', '--root', '.'], { CARREL_WACTH: '1' })
    const err = 'error: Unknown environment variable CARREL_WACTH.\nDid you mean "CARREL_WATCH"?\n'
    assert.deepEqual(result, { out: '', err, code: 2 })
  })

  test('ends quietly when its output is no longer read', async () => {
    const result = await ended([join(clone, 'bin/carrel.mjs'), '--help'], {}, true)
    assert.deepEqual([result.err, result.code], ['', 0])
  })

  test('says in a sentence that its output could not be written', {
    skip: !existsSync('/dev/full') && 'needs /dev/full',
  }, async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [join(clone, 'bin/carrel.mjs'), '--help'], {
      stdio: ['ignore', full, 'pipe'],
    })
    closeSync(full)
    let err = ''
    child.stderr!.on('data', (data) => {
      err += data
    })
    const code = await new Promise((done) => child.on('close', done))
    assert.match(err, /^error: The output could not be written: ENOSPC.*\n$/)
    assert.equal(code, 1)
  })
})

describe('an interruption', { skip: process.platform === 'win32' && 'Windows has no such signals' }, () => {
  // A program around the real main(): it waits in a command as an index run would, and says when it may be interrupted.
  const waiting = (obeys: boolean) => `
    import { main } from ${JSON.stringify(new URL('./main.js', import.meta.url).href)}
    import { Command } from ${JSON.stringify(import.meta.resolve('commander'))}
    Command.prototype.parseAsync = () => new Promise((done) => {
      setInterval(() => {}, 1000)
      process.once('SIGINT', () => ${obeys ? 'done()' : 'process.stdout.write("asked\\n")'})
      process.stdout.write('ready\\n')
    })
    await main([])
    process.exit()`

  function interrupt(obeys: boolean): Promise<number | null> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', waiting(obeys)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // Each line the child writes means that it is ready for one more signal.
    child.stdout.on('data', () => child.kill('SIGINT'))
    return new Promise((done) => child.on('close', done))
  }

  test('asks the work to stop and ends with 130', async () => assert.equal(await interrupt(true), 130))
  test('does not ask twice', async () => assert.equal(await interrupt(false), 130))

  const starting = (root: string) => `
    import { main } from ${JSON.stringify(new URL('./main.js', import.meta.url).href)}
    const running = main(['mcp', '--root', ${JSON.stringify(root)}, '--set', 'embedding.provider=none'])
    process.kill(process.pid, 'SIGTERM')
    await running`

  test('ends a server for a client that is still starting', async (t) => {
    const root = join(folder, 'starting')
    mkdirSync(root)
    const child = spawn(process.execPath, ['--input-type=module', '-e', starting(root)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    const ended = new Promise((done) => child.on('close', done))
    assert.equal(await Promise.race([ended, sleep(20_000, 'still there', { ref: false })]), 143)
  })
})

describe('npm start', { skip: process.platform === 'win32' && 'Windows has no such signals' }, () => {
  // The real script in a clone whose program only says where it stands and what it hears.
  const stage = join(folder, 'stage')
  before(() => {
    for (const name of ['scripts', 'bin', 'notes']) mkdirSync(join(stage, name), { recursive: true })
    cpSync(join(clone, 'scripts/start.mjs'), join(stage, 'scripts/start.mjs'))
    const root = JSON.stringify(stage)
    writeFileSync(
      join(stage, 'scripts/setup.mjs'),
      `export const root = ${root}\nexport const setUp = () => {}`,
    )
    const program = `
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => (console.log(name), process.exit(7)))
      setInterval(() => {}, 1000)
      console.log(process.cwd(), ...process.argv.slice(2))`
    writeFileSync(join(stage, 'bin/carrel.mjs'), program)
  })

  async function started(signal: NodeJS.Signals, env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [join(stage, 'scripts/start.mjs'), '--root', '.'], {
      cwd: stage,
      env: { ...process.env, npm_lifecycle_event: 'start', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines: string[] = []
    child.stdout.on('data', (data) => {
      lines.push(String(data).trim())
      if (lines.length === 1) child.kill(signal)
    })
    const code = await new Promise((done) => child.on('close', done))
    return [...lines, code]
  }

  test('takes paths from where it was typed, and the clone without npm', async () => {
    const typed = realpathSync(join(stage, 'notes'))
    const result = await started('SIGTERM', { INIT_CWD: typed })
    assert.deepEqual(result, [`${typed} serve --root .`, 'SIGTERM', 7])
    const plain = await started('SIGTERM', { INIT_CWD: typed, npm_lifecycle_event: 'test' })
    assert.equal(plain[0], `${realpathSync(stage)} serve --root .`)
  })

  test('passes an interruption on that reaches it alone', async () => {
    const [, received, code] = await started('SIGINT')
    assert.deepEqual([received, code], ['SIGHUP', 130])
  })
})

test('asking for help loads the parser of the command line and no other package', () => {
  const start = fileURLToPath(new URL('./main.js', import.meta.url))
  const seen = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
      if (target.startsWith('.')) visit(resolve(dirname(file), target))
      else if (!target.startsWith('node:')) packages.add(target)
    }
  }
  visit(start)
  assert.ok(seen.size > 5)
  assert.deepEqual([...packages], ['commander'])
})

const imports = /^(?:import|export)\s+(?:[\w*\s{},]+\s+from\s+)?['"]([^'"]+)['"]/gm
