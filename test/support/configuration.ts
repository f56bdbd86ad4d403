// Configurations in folders made for them: what is loaded, or what a person would read.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { loadSettings, type SettingsFlags } from '../../src/app/config/load.js'
import { Problem } from '../../src/model/problem.js'

/** Gone after the tests. */
export const made: string[] = []
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

export interface World {
  /** Files by path below the world; `project/` is the root and `home/` the user's. */
  files?: Record<string, unknown>
  flags?: SettingsFlags
  env?: Record<string, string>
  cwd?: string
  link?: [string, string]
  /** Nobody may read this. */
  shut?: string
}

export async function load({ files = {}, flags = {}, env = {}, cwd = 'project', link, shut }: World) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-config-')))
  made.push(base)
  for (const folder of ['project', 'project/docs', 'project/notes', 'home', 'elsewhere/docs'])
    mkdirSync(join(base, folder), { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  if (link) symlinkSync(join(base, link[1]), join(base, link[0]))
  const root = flags.root === undefined && !env.CARREL_ROOT && cwd === 'project' ? { root: '.' } : {}
  const given = { flags: { ...root, ...flags }, env, cwd: join(base, cwd), home: join(base, 'home') }
  if (shut) chmodSync(join(base, shut), 0)
  const loaded = await loadSettings(given).finally(() => shut && chmodSync(join(base, shut), 0o700))
  return { ...loaded, base }
}

/** What a person would read, with the temporary folder taken out. */
export async function complaint(world: World): Promise<string> {
  try {
    await load(world)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const text = error.hint ? `${error.message}\n${error.hint}` : error.message
    return text.replaceAll(made.at(-1)!, '')
  }
  throw new Error('nothing was refused')
}

export const project = (content: unknown): World => ({ files: { 'project/carrel.json': content } })
export const server = {
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: 'm',
  dimensions: 384,
}
export const far = { ...server, baseUrl: 'https://api.example.com/v1' }
