// The official conformance suites against our HTTP server: once with the fixture that has all they ask for, and once
// with the product's own server behind it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { McpServerFactory } from '@modelcontextprotocol/server'
import { changes } from '../../src/server/changes.js'
import { executor } from '../../src/server/executor.js'
import { registry } from '../../src/server/registry.js'
import { serveHttp } from '../../src/surfaces/http/server.js'
import { copySample } from '../support/world.js'
import { conformanceFactory } from './fixture.js'
import { conformanceToolset } from './records.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const suites = {
  '0.1': join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  '0.2': join(root, 'node_modules/conformance-next/dist/index.js'),
}
const skip = Object.values(suites).every(existsSync) ? false : 'the conformance suites are not installed'

describe('the conformance suite passes on the fixture', { skip, concurrency: true }, () => {
  const runs: [string, keyof typeof suites, string[]][] = [
    ['0.1.16, everything', '0.1', ['--suite', 'all']],
    ['0.2, required by 2025-11-25', '0.2', ['--requirements', '2025-11-25']],
    ['0.2, required by 2026-07-28', '0.2', ['--requirements', '2026-07-28']],
  ]
  for (const [title, suite, args] of runs)
    test(title, async (t) => {
      const { code, output } = await check(t, suite, args, true)
      assert.equal(code, 0, output)
      assert.match(output, /Total: \d+ passed/)
    })
})

// What the product's server must pass without help. The rest of the suite asks for what we do not offer (pictures,
// sound, questions to the client, log messages), and is left to the fixture.
const own = {
  '2025-11-25': [
    ...[
      'server-initialize',
      'ping',
      'completion-complete',
      'tools-list',
      'tools-call-simple-text',
      'tools-call-error',
    ],
    ...['tools-call-with-progress', 'server-sse-multiple-streams', 'resources-list', 'resources-read-text'],
    ...['resources-read-binary', 'resources-templates-read', 'resources-subscribe', 'resources-unsubscribe'],
    ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
    ...['dns-rebinding-protection', 'server-session-lifecycle'],
  ],
  '2026-07-28': [
    ...[
      'completion-complete',
      'tools-list',
      'tools-call-simple-text',
      'tools-call-error',
      'tools-call-with-progress',
    ],
    ...['server-sse-multiple-streams', 'resources-list', 'resources-read-text', 'resources-read-binary'],
    ...['resources-templates-read', 'sep-2164-resource-not-found', 'prompts-list', 'prompts-get-simple'],
    ...['prompts-get-with-args', 'prompts-get-embedded-resource', 'dns-rebinding-protection', 'caching'],
    ...['http-header-validation', 'input-required-result-unsupported-methods'],
  ],
}

describe("the product's own server passes the suite for all it offers", { skip, concurrency: true }, () => {
  for (const [revision, scenarios] of Object.entries(own))
    test(revision, async (t) => {
      const { output } = await check(t, '0.2', ['--requirements', revision], false)
      passes(output, scenarios)
    })
})

// The real thing: `carrel serve` over the sample library with all its toolsets, as it comes.
const asIs = {
  '2025-11-25': [
    ...['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'],
    ...['server-sse-multiple-streams', 'dns-rebinding-protection', 'server-session-lifecycle'],
  ],
  '2026-07-28': [
    ...['tools-list', 'resources-list', 'prompts-list', 'server-sse-multiple-streams'],
    ...['dns-rebinding-protection', 'sep-2164-resource-not-found', 'caching', 'http-header-validation'],
  ],
}

test('carrel serve passes unchanged', { skip, concurrency: true }, async (t) => {
  const url = await serveSample(t)
  const revisions = Object.entries(asIs).map(([revision, scenarios]) =>
    t.test(revision, async () => {
      const { output } = await run([
        ...[suites['0.2'], 'server', '--url', `${url}/mcp`],
        ...['--requirements', revision],
      ])
      passes(output, scenarios)
    }),
  )
  await Promise.all(revisions)
})

async function serveSample(t: TestContext): Promise<string> {
  const args = ['serve', '--root', copySample(t), '--port', '0', '--json', '--quiet']
  const server = spawn(process.execPath, [join(root, 'bin/carrel.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CARREL_EMBEDDING_PROVIDER: 'none' },
  })
  t.after(() => void server.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  return (JSON.parse(line) as { url: string }).url
}

function passes(output: string, scenarios: readonly string[]) {
  const summary = output.slice(output.indexOf('=== SUMMARY ==='))
  for (const scenario of scenarios)
    assert.match(
      summary,
      new RegExp(`^✓ ${scenario}: [1-9]\\d* passed, 0 failed`, 'm'),
      `${scenario}\n${summary}`,
    )
}

async function check(
  t: { after(fn: () => Promise<void>): void },
  suite: keyof typeof suites,
  args: string[],
  fixture: boolean,
) {
  const news = changes()
  const build: { build?: McpServerFactory } = fixture ? { build: conformanceFactory(news) } : {}
  const http = await serveHttp({
    surface: {
      registry: registry([conformanceToolset], {}),
      executor: executor(),
      info: { name: 'carrel', version: '0.0.0' },
      changes: news,
    },
    ...build,
  })
  t.after(() => http.close(0))
  return run([suites[suite], 'server', '--url', `${http.url}/mcp`, ...args])
}

function run(args: string[]): Promise<{ code: number | null; output: string }> {
  const shim = join(root, 'test/conformance/glob-shim.mjs')
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', shim, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => {
        output += bytes
      })
    child.on('close', (code) => resolve({ code, output }))
  })
}
