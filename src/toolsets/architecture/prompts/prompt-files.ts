// The project's own prompts: JSON files in mcp/prompts, read on request. An unchanged file is not read again; of an invalid
// one the last good version stays, and the problem is reported.
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Stamp } from '../../../model/document.js'
import { reasonOf } from '../../../model/problem.js'
import { looksSame, stampOf } from '../../../sources/safe-file.js'
import { hashOf } from '../../../text/hash.js'
import { builtInPrompts } from './built-in.js'
import { argumentsIn, type Part, readTemplate } from './template.js'

export interface ProjectPrompt {
  file: string
  name: string
  title: string | null
  summary: string
  arguments: { name: string; description: string; required: boolean; complete: string | null }[]
  messages: { role: 'user' | 'assistant'; parts: Part[] }[]
}

export interface PromptProblem {
  file: string
  message: string
  /** It is not offered, or is offered as it was before. */
  state: 'skipped' | 'kept' | 'warning'
}

export interface PromptCatalogue {
  prompts: ProjectPrompt[]
  problems: PromptProblem[]
  /** Changes when the list or any prompt does. */
  version: string
}

export const promptsFolder = 'mcp/prompts'
const mostFiles = 200
const mostBytes = 262_144
const tries = 3

export async function readPrompts(root: string): Promise<PromptCatalogue> {
  const folder = join(root, promptsFolder)
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.json$/i.test(name)).sort()
  const known = remembered.get(folder) ?? new Map<string, Remembered>()
  remembered.set(folder, known)
  for (const name of known.keys()) if (!names.includes(name)) known.delete(name)
  const problems: PromptProblem[] = names.slice(mostFiles).map((file) => ({
    file,
    state: 'skipped',
    message: `At most ${mostFiles} prompts are read.`,
  }))
  for (const name of names.slice(0, mostFiles)) await refresh(folder, name, known)
  return catalogue(known, problems)
}

interface Remembered {
  /** As it was when it was read. Null: the next call reads it again. */
  stamp: Stamp | null
  good: ProjectPrompt | null
  /** The problem of the present file. */
  wrong: string | null
}

const remembered = new Map<string, Map<string, Remembered>>()

async function refresh(folder: string, name: string, known: Map<string, Remembered>) {
  const before = known.get(name)
  const read = await readWhole(join(folder, name), before?.stamp ?? null)
  if (read === 'same') return
  const good = 'text' in read ? promptOf(name, read.text) : read.reason
  if (typeof good !== 'string') known.set(name, { stamp: read.stamp, good, wrong: null })
  else known.set(name, { stamp: read.stamp, good: before?.good ?? null, wrong: good })
}

type Read = { stamp: Stamp | null } & ({ text: string } | { reason: string })

/**
 * A file that changes while it is read is read again, so that no mixture of two versions is used. File systems have coarse
 * clocks, so a file that was written a moment ago is read twice and compared, and its stamp is not kept.
 */
async function readWhole(path: string, known: Stamp | null): Promise<Read | 'same'> {
  for (let i = 0; i < tries; i++) {
    try {
      const { stamp, isFile, isNew } = await look(path)
      if (known && looksSame(stamp, known)) return 'same'
      if (!isFile) return { stamp, reason: 'It is no file.' }
      if (stamp.size > mostBytes)
        return { stamp, reason: `It has ${stamp.size} bytes, and ${mostBytes} are read at most.` }
      const text = await readFile(path, 'utf8')
      const after = await look(path)
      const settled = looksSame(after.stamp, stamp) && (!isNew || text === (await readFile(path, 'utf8')))
      if (settled) return { stamp: isNew ? null : stamp, text }
    } catch (error) {
      return {
        stamp: null,
        reason: `It cannot be read (${(error as NodeJS.ErrnoException).code ?? reasonOf(error)}).`,
      }
    }
    await sleep(waitMs)
  }
  return { stamp: null, reason: 'It kept changing while it was read.' }
}

const waitMs = 10
const tickMs = 50

async function look(path: string) {
  const found = await lstat(path)
  return {
    stamp: stampOf(found),
    isFile: found.isFile(),
    isNew: Math.abs(Date.now() - found.mtimeMs) < tickMs,
  }
}

const text = z.string().max(mostBytes)
const promptFile = z.object({
  name: z.string().regex(/^[A-Za-z][\w-]{0,63}$/, 'letters, digits, "_" and "-"'),
  title: z.string().max(100).optional(),
  description: z.string().max(1_000).optional(),
  arguments: z
    .array(
      z.object({
        name: z.string().regex(/^[A-Za-z_][\w-]{0,63}$/, 'letters, digits, "_" and "-"'),
        description: z.string().max(500).optional(),
        required: z.boolean().optional(),
        complete: z.enum(['patterns', 'guidelines', 'adr']).optional(),
      }),
    )
    .max(30)
    .optional(),
  messages: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        content: z.union(
          [text, z.object({ type: z.literal('text'), text })],
          'it is a text, or { "type": "text", "text": … }',
        ),
      }),
    )
    .min(1)
    .max(50),
})

/** The prompt in a file, or the problem with it. */
function promptOf(file: string, json: string): ProjectPrompt | string {
  let value: unknown
  try {
    value = JSON.parse(json.replace(/^\ufeff/, ''))
  } catch (error) {
    return `It is no JSON: ${(error as Error).message}.`
  }
  const read = promptFile.safeParse(value)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    return `${path.length > 0 ? `"${path.join('.')}": ` : ''}${message}.`
  }
  const { name, title, description, arguments: args = [], messages } = read.data
  const twice = args.find((one, i) => args.findIndex((other) => other.name === one.name) < i)
  if (twice) return `Two arguments are called "${twice.name}".`
  return {
    file,
    name,
    title: title ?? null,
    summary: description ?? `The project's prompt ${name}.`,
    arguments: args.map((one) => ({
      name: one.name,
      description: one.description ?? one.name,
      required: one.required ?? false,
      complete: one.complete ?? null,
    })),
    messages: messages.map(({ role, content }) => ({
      role,
      parts: readTemplate(typeof content === 'string' ? content : content.text),
    })),
  }
}

const builtInNames = new Set(builtInPrompts(() => true).map(({ name }) => name))

function catalogue(known: ReadonlyMap<string, Remembered>, problems: PromptProblem[]): PromptCatalogue {
  const prompts: ProjectPrompt[] = []
  for (const [file, { good, wrong }] of [...known].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (wrong !== null) problems.push({ file, state: good ? 'kept' : 'skipped', message: wrong })
    if (!good) continue
    const twin = prompts.find(({ name }) => name === good.name)
    if (twin)
      problems.push({ file, state: 'skipped', message: `${twin.file} has a prompt "${good.name}" already.` })
    else {
      prompts.push(good)
      if (builtInNames.has(good.name))
        problems.push({
          file,
          state: 'warning',
          message: `It replaces the built-in prompt "${good.name}". Give it another name to keep both.`,
        })
      problems.push(...undeclared(good))
    }
  }
  const version = hashOf(JSON.stringify(prompts))
  return { prompts, problems, version }
}

/** Warns about a `{{name}}` that is no argument: it stays in the text unchanged, which is seldom intended. */
function undeclared({ file, arguments: args, messages }: ProjectPrompt): PromptProblem[] {
  const names = new Set(['workflow_id', ...args.map(({ name }) => name)])
  const strange = messages.flatMap(({ parts }) => argumentsIn(parts)).filter((name) => !names.has(name))
  return [...new Set(strange)].map((name) => ({
    file,
    state: 'warning',
    message: `It mentions {{${name}}}, which is not one of its arguments.`,
  }))
}
