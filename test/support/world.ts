// A project in a temporary folder, opened as a user's would be. Gone when the test ends.
import {
  cpSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Library } from '../../src/answer/library.js'
import { openLibrary } from '../../src/app/open.js'
import { openReaders, type Readers } from '../../src/ingest/readers.js'
import type { Limits, Settings } from '../../src/model/settings.js'

/** The project's own root: tests run compiled, from dist/. */
export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '../../..')
export const sampleLibrary = join(projectRoot, 'examples/library')

// For servers and commands that a test starts: what they remember of data folders is not the user's.
process.env.CARREL_STATE ??= join(tmpdir(), `carrel-test-state-${process.pid}`)
process.once('exit', () => {
  const own = process.env.CARREL_STATE ?? ''
  if (own.endsWith(`carrel-test-state-${process.pid}`)) rmSync(own, { recursive: true, force: true })
})

export function temporaryFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-test-')))
  // Hooks run in the order they were given; what a test hangs into the folder must be undone before this one.
  t.after(() => {
    for (const undo of undoings.get(t)?.toReversed() ?? []) undo()
    undoings.delete(t)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

const undoings = new Map<TestContext, (() => void)[]>()

/** Undoes something in a temporary folder (a mount, permissions) before the folder goes. */
export function undo(t: TestContext, work: () => void) {
  undoings.set(t, [...(undoings.get(t) ?? []), work])
}

/** Does something in a folder as somebody who may not do everything: root lays its rights down for the while. */
export async function asOrdinaryUser<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  for (const name of ['', ...readdirSync(folder, { recursive: true }).map(String)])
    lchownSync(join(folder, name), nobody, nobody)
  process.seteuid!(nobody)
  try {
    return await work()
  } finally {
    process.seteuid!(0)
  }
}

const nobody = 65_534

export type Files = Record<string, string | Uint8Array>

export function write(root: string, files: Files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

export interface World {
  root: string
  settings: Settings
  library: Library
}

/** What was written a moment ago may change unseen, and is compared with its file again and again. */
const longAgo = new Date(Date.now() - 3_600_000)

/** Files in a folder of their own, opened but not indexed yet. */
export async function world(
  t: TestContext,
  files: Files = {},
  change: Partial<Settings> = {},
): Promise<World> {
  const root = join(temporaryFolder(t), 'project')
  mkdirSync(root)
  write(root, files)
  for (const path of Object.keys(files)) utimesSync(join(root, path), longAgo, longAgo)
  const settings = { ...settingsFor(root), ...change }
  const library = await openForTest(settings)
  t.after(() => library.close())
  return { root, settings, library }
}

/** Opens what the settings name, with the reading threads that all libraries of a test process share. */
export async function openForTest(settings: Settings): Promise<Library> {
  return { ...(await openLibrary(settings)), readers: readersFor(settings.limits) }
}

function readersFor(limits: Limits): Readers {
  const key = JSON.stringify(limits)
  const readers = shared.get(key) ?? openReaders(limits)
  shared.set(key, readers)
  return readers
}

/** Starting a thread costs more than most tests do. They keep no process alive and end with it. */
const shared = new Map<string, Readers>()

/** A copy of the sample library, so that tests may write to it. */
export function copySample(t: TestContext): string {
  const root = join(temporaryFolder(t), 'library')
  copySampleTo(root)
  return root
}

/** As it came: without the index that `npm start` makes in it. */
export function copySampleTo(root: string) {
  const filter = (path: string) => basename(path) !== '.carrel'
  cpSync(sampleLibrary, root, { recursive: true, filter })
}

/** The sample library without its code and files: for tests that start servers, where what is in it does not matter. */
export function copyNotes(t: TestContext, ...more: string[]): string {
  const root = join(temporaryFolder(t), 'library')
  for (const folder of ['notes', ...more])
    cpSync(join(sampleLibrary, folder), join(root, folder), { recursive: true })
  return root
}

export function settingsFor(root: string): Settings {
  return {
    root,
    data: join(root, '.carrel'),
    sources: [{ name: 'project', path: root, include: [], exclude: [] }],
    limits: {
      fileBytes: 2_000_000,
      documentBytes: 50_000_000,
      workers: 1,
      fileMs: 20_000,
      crawlPauseMs: 250,
    },
    watch: false,
    embedding: { provider: 'none' },
    rerank: { provider: 'none' },
    allow: { outside: false, network: false, privateNetwork: false },
    contexts: { project: join(root, 'context.json'), global: join(root, 'own/context.json') },
    chromium: null,
  }
}
