// Ways to start the fixture's toolsets, for tests that need a server to talk to.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changes } from '../../src/server/changes.js'
import { type ExecutorOptions, executor } from '../../src/server/executor.js'
import { registry } from '../../src/server/registry.js'
import { type HttpHandle, type HttpOptions, serveHttp } from '../../src/surfaces/http/server.js'
import type { Surface } from '../../src/surfaces/mcp/server.js'
import { fixtureToolsets, type Shelf, shelf } from './fixture.js'

export const stdioFixture = join(dirname(fileURLToPath(import.meta.url)), 'stdio-fixture.js')

export function fixtureSurface(
  options: ExecutorOptions = {},
): Surface<Shelf> & { changes: ReturnType<typeof changes> } {
  return {
    registry: registry(fixtureToolsets, shelf()),
    executor: executor({ checkOutput: true, ...options }),
    info: { name: 'fixture', version: '1.0.0' },
    instructions: () => 'A shelf of notes.',
    changes: changes(),
  }
}

export interface Cleanup {
  after(fn: () => Promise<void> | void): void
}

/** An HTTP server for the length of one test. */
export async function startHttp(
  t: Cleanup,
  options: Partial<HttpOptions<Shelf>> & { executor?: ExecutorOptions } = {},
): Promise<HttpHandle & { surface: ReturnType<typeof fixtureSurface> }> {
  const surface = fixtureSurface(options.executor)
  const http = await serveHttp({ surface, ...options })
  t.after(() => http.close(0))
  return { ...http, surface }
}

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')

/** Why a test that needs a package must be left out, or false. */
export function without(...packages: string[]): string | false {
  const missing = packages.filter((name) => !existsSync(join(root, 'node_modules', name)))
  return missing.length ? `not installed: ${missing.join(', ')}` : false
}
