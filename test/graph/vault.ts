// A vault in a temporary folder, indexed, with the graph tools at hand as a server would call them.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { indexAll } from '../../src/app/index-all.js'
import type { Settings } from '../../src/model/settings.js'
import { type Answer, executor } from '../../src/server/executor.js'
import { registry } from '../../src/server/registry.js'
import { context } from '../../src/toolsets/context/toolset.js'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { graph } from '../../src/toolsets/graph/toolset.js'
import { type Files, world } from '../support/world.js'

export interface GraphVault {
  root: string
  settings: Settings
  library: Library
  /** The result of a call that must succeed. */
  call<T = Answered>(tool: string, args: unknown): Promise<T>
  /** The same, with what is said beside it. */
  noted(tool: string, args: unknown): Promise<Answer>
  /** The error of a call that must not. */
  refused(tool: string, args: unknown): Promise<{ code: string; message: string }>
  index(): Promise<void>
  /** A file's text, null when there is none. */
  read(path: string): string | null
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used.
export type Answered = any

export async function vault(
  t: TestContext,
  files: Files,
  change: Partial<Settings> = {},
): Promise<GraphVault> {
  const { root, settings, library } = await world(t, files, change)
  await indexAll(library, {})
  return { root, settings, ...toolsFor(library, root), library }
}

export function toolsFor(library: Library, root: string, client = 'test') {
  const tools = registry([graph, documentsToolset, context], { library }, { capabilities: ['embedder'] })
  const run = executor({ checkOutput: true, rates: false })
  const call = (name: string, args: unknown) =>
    run.call(tools.tool(name), tools.services, args, { client: { id: client } })
  const noted = async (name: string, args: unknown) => {
    const answer = await call(name, args)
    assert.equal(answer.isError, false, answer.text)
    return answer
  }
  return {
    noted,
    call: async <T = Answered>(name: string, args: unknown) => (await noted(name, args)).value as T,
    async refused(name: string, args: unknown) {
      const { value, isError, text } = await call(name, args)
      assert.equal(isError, true, `should have been refused: ${text}`)
      return (value as { error: { code: string; message: string } }).error
    },
    async index() {
      await indexAll(library, {})
    },
    read: (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null),
  }
}
