// Checks rules about the content of files. Worker processes read only the files that a rule concerns, each once.

import { constants, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Rule } from '../../model/rule.js'
import type { Settings } from '../../model/settings.js'
import { formatOf, isMdx, languageOfScript, mayBeScript } from '../../parse/formats.js'
import { forEachLimit } from '../../runtime/for-each-limit.js'
import { excludedPaths } from '../../sources/excluded-paths.js'
import { cleanPath, staticPart } from '../../text/glob.js'
import type { Assertion } from './assertions.js'
import type { Finding, Sight } from './check.js'
import type { Answer, Ask, Job } from './judge/ask.js'
import { judgePool } from './judge/judge-pool.js'
import { isReadable, Tally } from './tally.js'
import { askOf, mayReachInto, whyAside } from './verdict.js'

const batchFiles = 40
// Generous, since build machines are busy: only a pattern that really hangs should be called broken.
const limitsOfTime = { batchMs: 60_000, questionMs: 20_000, patternMs: 3_000 }
const mostProcesses = 4

/** How long all rules together may look at files, unless the caller says otherwise. */
const defaultSeconds = 300

export interface CheckOptions {
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
  /** After this, rules that are not done are unchecked. */
  mostSeconds?: number
}

export async function checkFiles(
  { root, limits }: Pick<Settings, 'root' | 'limits'>,
  all: readonly Assertion[],
  { files, closed }: Sight,
  { signal, onProgress, mostSeconds = defaultSeconds }: CheckOptions,
): Promise<{ findings: Finding[]; files: string[] }> {
  const assertions = all.filter(({ rule }) => askOf(rule) !== null)
  const top = new Set(files.map((path) => path.split('/')[0]!))
  const seen = new Map(assertions.map((one) => [one, new Tally(one)]))
  for (const [{ rule }, tally] of seen)
    for (const { path, reason } of closed) if (mayReachInto(path, rule)) tally.fault(path, reason)
  const scripts = seen.size > 0 ? await scriptLanguages(root, files, signal) : new Map<string, string>()
  const tasks = files.flatMap((path) =>
    taskFor(path, seen, { root, mostBytes: limits.fileBytes, top, scripts }),
  )
  const pool = judgePool({ processes: Math.min(mostProcesses, availableParallelism()), ...limitsOfTime })
  let done = 0
  const judged: string[] = []
  const deadline = AbortSignal.timeout(mostSeconds * 1000)
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
  try {
    await forEachLimit(
      batches(tasks),
      async (all) => {
        const batch = all.flatMap((task) => withoutBroken(task, seen))
        const answers = await pool
          .judge(
            batch.map(({ job }) => job),
            stop,
          )
          .catch((error) => {
            if (signal?.aborted || !deadline.aborted) throw error
            return null
          })
        for (const [i, task] of batch.entries())
          if (answers === null) for (const { assertion } of task.assertions) seen.get(assertion)!.leave()
          else if (count(seen, task, answers[i]!)) judged.push(task.path)
        done += all.length
        onProgress?.(done, tasks.length)
      },
      pool.size,
    )
  } finally {
    pool.close()
  }
  const over = await excludedPaths(root, signal)
  const isAside = (path: string) => {
    const start = staticPart(cleanPath(path))
    return !over.keeps(`${start}/`) && existsSync(join(root, start))
  }
  return { findings: [...seen.values()].map((tally) => tally.finding(isAside, files)), files: judged }
}

interface Task {
  path: string
  job: Job
  /** For each rule, the index of its question in the job. */
  assertions: { assertion: Assertion; at: number }[]
}

interface Around {
  root: string
  mostBytes: number
  /** The names in the project's root folder. */
  top: ReadonlySet<string>
  /** The languages of scripts whose names do not tell. */
  scripts: ReadonlyMap<string, string>
}

function taskFor(
  path: string,
  seen: ReadonlyMap<Assertion, Tally>,
  { root, mostBytes, top, scripts }: Around,
): Task[] {
  const script = scripts.get(path)
  const known = script ? { format: 'code', language: script } : formatOf(path)
  if (!known) return []
  const language =
    known.language ?? (known.format === 'markdown' || known.format === 'html' ? known.format : null)
  const asks: Ask[] = []
  const assertions: Task['assertions'] = []
  for (const assertion of seen.keys()) {
    if (whyAside(assertion.rule, { language, path }) !== null) continue
    if (isAnyText(assertion.rule, language)) continue
    if (!isReadable(assertion.rule, language)) {
      const host = isMdx(path) ? 'mdx' : known.format === 'code' || known.format === 'html' ? language : null
      if (host) seen.get(assertion)!.passOver(host, path)
      continue
    }
    const ask = withMentions(askOf(assertion.rule)!, assertion.rule, top)
    const same = ask.kind === 'imports' ? asks.findIndex((one) => one.kind === 'imports') : -1
    if (same >= 0) asks[same] = eitherImports(asks[same]!, ask)
    assertions.push({ assertion, at: same >= 0 ? same : asks.push(ask) - 1 })
  }
  if (assertions.length === 0) return []
  const subject = { path, root, language, code: { file: join(root, path), mostBytes } }
  return [{ path, job: { subject, asks }, assertions }]
}

/** A task without the questions of rules that proved broken, for example by a pattern that never ends. */
function withoutBroken(task: Task, seen: ReadonlyMap<Assertion, Tally>): Task[] {
  const assertions = task.assertions.filter(({ assertion }) => !seen.get(assertion)!.isBroken)
  if (assertions.length === task.assertions.length) return [task]
  const asks = [...new Set(assertions.map(({ at }) => at))]
  if (asks.length === 0) return []
  return [
    {
      ...task,
      job: { ...task.job, asks: asks.map((at) => task.job.asks[at]!) },
      assertions: assertions.map(({ assertion, at }) => ({ assertion, at: asks.indexOf(at) })),
    },
  ]
}

// A text that does not have the name of a package cannot import it, and most texts need not be parsed to see that. A name
// that is also a folder of the project may be reached by other words.
function withMentions(ask: Ask, { check }: Rule, top: ReadonlySet<string>): Ask {
  if (ask.kind !== 'imports' || check.kind !== 'import' || check.require) return ask
  const names = check.imports.map((name) => name.replace(/^\w+:/, ''))
  return names.every((name) => /^[\w-]+$/.test(name) && !top.has(name)) ? { ...ask, mentions: names } : ask
}

/** Imports are read once, however many rules are about them. */
function eitherImports(one: Ask, other: Ask): Ask {
  if (one.kind !== 'imports' || other.kind !== 'imports' || !one.mentions || !other.mentions)
    return { kind: 'imports' }
  return { kind: 'imports', mentions: [...one.mentions, ...other.mentions] }
}

/** To the HTML grammar, a pattern that is no markup is plain text. A rule that does not name HTML does not mean that. */
function isAnyText({ check, languages }: Rule, language: string | null): boolean {
  if (check.kind !== 'tree' || language !== 'html' || languages.length > 0) return false
  return typeof check.tree === 'string' && !check.tree.includes('<')
}

function batches(tasks: readonly Task[]): Task[][] {
  return Array.from({ length: Math.ceil(tasks.length / batchFiles) }, (_, i) =>
    tasks.slice(i * batchFiles, (i + 1) * batchFiles),
  )
}

/** Whether any rule could judge the file. */
function count(
  seen: ReadonlyMap<Assertion, Tally>,
  { path, assertions }: Task,
  answers: readonly Answer[],
): boolean {
  return assertions.filter(({ assertion, at }) => seen.get(assertion)!.add(path, answers[at]!)).length > 0
}

/** Languages from the first line (`#!`), by path, of the files that have one. */
async function scriptLanguages(
  root: string,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const languages = new Map<string, string>()
  for (const path of files.filter(mayBeScript)) {
    signal?.throwIfAborted()
    const language = languageOfScript(await headOf(join(root, path)))
    if (language !== null) languages.set(path, language)
  }
  return languages
}

const headBytes = 200

/** Empty if the file cannot be read: the worker that reads the whole file reports why. */
async function headOf(file: string): Promise<string> {
  const how = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
  const handle = await open(file, how).catch(() => null)
  if (!handle) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } catch {
    return ''
  } finally {
    await handle.close()
  }
}
