// A library with the fake embedder behind a toolset's tools, called as every surface calls them.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Library } from '../../src/answer/library.js'
import { fillVectors } from '../../src/answer/vectors.js'
import { indexAll } from '../../src/app/index-all.js'
import type { FolderSettings } from '../../src/model/settings.js'
import type { Toolset } from '../../src/server/define.js'
import { type Answer, executor } from '../../src/server/executor.js'
import { type Registry, registry } from '../../src/server/registry.js'
import { fakeEmbedder } from './fake-embedder.js'
import { copySampleTo, type Files, openForTest, settingsFor, write } from './world.js'

export interface ToolsetWorld {
  root: string
  library: Library
  registry: Registry<{ library: Library }>
  call(tool: string, args?: unknown): Promise<Answer>
  /** The value of a call that must not fail. */
  ask<T>(tool: string, args?: unknown): Promise<T>
  close(): Promise<void>
}

export interface WorldOptions {
  /** In place of the sample library. */
  files?: Files
  /** Folders below the root by alias; the whole root as `library` unless said. */
  folders?: Record<string, Partial<Pick<FolderSettings, 'description'>> & { path: string }>
  /** False: search by words alone. */
  embedding?: boolean
  /** False: nothing is read yet. */
  indexed?: boolean
}

export async function toolsetWorld(
  toolset: Toolset<{ library: Library }> | readonly Toolset<{ library: Library }>[],
  options: WorldOptions = {},
): Promise<ToolsetWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-test-')))
  const root = join(folder, 'library')
  if (options.files) write(root, options.files)
  else copySampleTo(root)
  const folders = options.folders ?? { library: { path: '.' } }
  const sources = Object.entries(folders).map(([name, one]) => ({
    name,
    include: [],
    exclude: [],
    ...one,
    path: join(root, one.path),
  }))
  const opened = await openForTest({ ...settingsFor(root), data: join(folder, 'data'), sources })
  const embedder = options.embedding === false ? null : fakeEmbedder({ dimensions: 256 })
  const library = { ...opened, embedder }
  if (options.indexed !== false) {
    await indexAll(library, {})
    await fillVectors(library)
  }
  const sets = [toolset].flat() as Toolset<{ library: Library }>[]
  const exposed = registry(
    sets,
    { library },
    { capabilities: embedder ? ['embedder'] : [], toolsets: sets.map(({ name }) => name) },
  )
  const runs = executor({ checkOutput: true, rates: false })
  const call = (tool: string, args: unknown = {}) =>
    runs.call(exposed.tool(tool), { library }, args, { client: { id: 'test' } })
  return {
    root,
    library,
    registry: exposed,
    call,
    async ask<T>(tool: string, args?: unknown) {
      const answer = await call(tool, args)
      if (answer.isError) throw new Error(answer.text)
      return answer.value as T
    },
    async close() {
      await opened.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
