// Rules about what files say: only the files that a rule asks for are read, each once, by processes beside this one.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Rule } from '../../model/rule.js'
import type { Settings } from '../../model/settings.js'
import { formatOf, isMdx } from '../../parse/formats.js'
import { passedOver } from '../../sources/passed-over.js'
import { cleanPath, staticPart } from '../../text/glob.js'
import type { Assertion } from './assertions.js'
import type { Finding, Sight } from './check.js'
import type { Answer, Ask, Job } from './judge/ask.js'
import { judgePool } from './judge/judge-pool.js'
import { importLanguages, treeLanguages } from './judge/readable.js'
import { scriptLanguages } from './script-languages.js'
import { askOf, mayReachInto, verdictOf, whyAside } from './verdict.js'

const batchFiles = 40
// A machine that builds has much else to do: only what really hangs should be called broken.
const limitsOfTime = { batchMs: 60_000, questionMs: 20_000, patternMs: 3_000 }
const mostProcesses = 4

export async function checkFiles(
  { root, limits }: Pick<Settings, 'root' | 'limits'>,
  all: readonly Assertion[],
  { files, closed }: Sight,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void },
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
  try {
    await each(batches(tasks), pool.size, async (batch) => {
      const answers = await pool.judge(
        batch.map(({ job }) => job),
        signal,
      )
      for (const [i, task] of batch.entries()) if (count(seen, task, answers[i]!)) judged.push(task.path)
      done += batch.length
      onProgress?.(done, tasks.length)
    })
  } finally {
    pool.close()
  }
  const over = await passedOver(root, signal)
  const isAside = (path: string) => {
    const start = staticPart(cleanPath(path))
    return !over.keeps(`${start}/`) && existsSync(join(root, start))
  }
  return { findings: [...seen.values()].map((tally) => tally.finding(isAside)), files: judged }
}

interface Task {
  path: string
  job: Job
  /** Which rules asked which question of the job. */
  asked: { assertion: Assertion; at: number }[]
}

interface Around {
  root: string
  mostBytes: number
  /** What lies at the top of the project. */
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
  const asked: Task['asked'] = []
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
    asked.push({ assertion, at: same >= 0 ? same : asks.push(ask) - 1 })
  }
  if (asked.length === 0) return []
  const subject = { path, root, language, code: { file: join(root, path), mostBytes } }
  return [{ path, job: { subject, asks }, asked }]
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

/** Trees and imports can be had of some languages only. */
function isReadable({ check }: Rule, language: string | null): boolean {
  if (check.kind === 'tree') return (treeLanguages as readonly (string | null)[]).includes(language)
  if (check.kind === 'import' || check.kind === 'layers')
    return (importLanguages as readonly (string | null)[]).includes(language)
  return true
}

/** What is no markup is HTML too, of one text: a rule that does not say HTML does not mean that. */
function isAnyText({ check, languages }: Rule, language: string | null): boolean {
  if (check.kind !== 'tree' || language !== 'html' || languages.length > 0) return false
  return typeof check.tree === 'string' && !check.tree.includes('<')
}

function batches(tasks: readonly Task[]): Task[][] {
  return Array.from({ length: Math.ceil(tasks.length / batchFiles) }, (_, i) =>
    tasks.slice(i * batchFiles, (i + 1) * batchFiles),
  )
}

async function each<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>) {
  let next = 0
  const walk = async () => {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: atOnce }, walk))
}

/** Whether any rule could judge the file. */
function count(
  seen: ReadonlyMap<Assertion, Tally>,
  { path, asked }: Task,
  answers: readonly Answer[],
): boolean {
  return asked.filter(({ assertion, at }) => seen.get(assertion)!.add(path, answers[at]!)).length > 0
}

const mostFaults = 5
const scripted = new Set(['vue', 'svelte', 'astro', 'mdx'])

/** What a rule comes to over all its files. */
class Tally {
  private judged = 0
  private met = 0
  private broken: string | null = null
  /** Why its pattern is no code of a language, where it names none: it may be code of another. */
  private foreign: string | null = null
  private readonly places: Finding['places'] = []
  /** Files that could not be judged, and why. */
  private readonly faults: string[] = []
  /** Of files that it is about but that it cannot be asked of. */
  private readonly languages = new Map<string, string[]>()
  /** Imports that could not be followed. */
  private readonly computed: string[] = []
  private readonly assertion: Assertion

  constructor(assertion: Assertion) {
    this.assertion = assertion
  }

  /** Whether the file could be judged. */
  add(path: string, answer: Answer): boolean {
    const verdict = verdictOf(this.assertion.rule, answer, path)
    if (verdict.foreign) this.foreign ??= `${path}: ${verdict.reason}`
    else if (verdict.broken) this.broken ??= `${path}: ${verdict.reason}`
    else if (verdict.status === 'not_checkable') this.fault(path, verdict.reason ?? '')
    if (verdict.status === 'not_checkable') return false
    if ('imports' in answer)
      this.computed.push(
        ...(answer.computed ?? []).map(
          (line) => `${path}:${line}: The name of what is imported is computed.`,
        ),
      )
    this.judged++
    if (verdict.status === 'passed') this.met++
    else if (verdict.lines.length > 0)
      this.places.push(...verdict.lines.map((line) => ({ file: path, line })))
    else this.places.push({ file: path, line: null })
    return true
  }

  fault(path: string, reason: string) {
    this.faults.push(`${path}: ${reason}`)
  }

  passOver(language: string, path: string) {
    const known = this.languages.get(language)
    if (known) known.push(path)
    else this.languages.set(language, [path])
  }

  finding(isAside: (path: string) => boolean): Finding {
    const { assertion, judged, faults } = this
    const broken = this.broken ?? this.neverReadable() ?? (judged === 0 ? this.foreign : null)
    const unchecked = this.whyUnchecked()
    const none = { assertion, broken, unchecked, places: [], notes: [] }
    if (unchecked !== null) return none
    if (judged === 0) return broken === null ? { ...none, ...this.nothingThere(isAside) } : none
    return {
      ...none,
      places: this.wrongPlaces(),
      notes: [
        ...shortened(faults, 'more files could not be judged.'),
        ...this.passedOver(),
        ...this.asideNote(isAside),
        ...shortened(this.computed, 'more imports could not be followed.'),
      ],
    }
  }

  private whyUnchecked(): string | null {
    const { judged, faults } = this
    if (faults.length > 0 && (judged === 0 || (this.oneIsEnough() && this.met === 0)))
      return [
        judged === 0 ? 'None of its files could be judged.' : 'It may be met where it could not be judged.',
        ...shortened(faults, 'more files.'),
      ].join(' ')
    const unread = judged === 0 && this.isPlaced() && this.languages.size > 0
    return unread ? this.cannotRead([...this.languages.keys()]) : null
  }

  /** A rule without a place is about the files that can be read, and there may be none. */
  private isPlaced(): boolean {
    const { paths, check } = this.assertion.rule
    return paths.length > 0 || check.kind === 'layers'
  }

  /** Files in languages that it cannot be asked of; without a place, only of those that have scripts in them. */
  private passedOver(): string[] {
    const told = [...this.languages].filter(([language]) => this.isPlaced() || scripted.has(language))
    return told.map(([language, [first, ...rest]]) => {
      const more = rest.length > 0 ? ` and ${rest.length} more` : ''
      return `${first}${more}: ${this.cannotRead([language])}`
    })
  }

  private wrongPlaces(): Finding['places'] {
    if (!this.oneIsEnough()) return this.places
    if (this.met > 0 || this.broken !== null) return []
    const only = this.judged === 1 ? this.places[0]?.file : null
    return [{ file: only ?? this.assertion.rule.paths[0] ?? null, line: null }]
  }

  private oneIsEnough(): boolean {
    const { check } = this.assertion.rule
    return 'every' in check && check.require && !check.every
  }

  /** Of places that are named in the rule and looked at by nobody. */
  private asideNote(isAside: (path: string) => boolean): string[] {
    const paths = this.assertion.rule.paths.filter(isAside)
    if (paths.length === 0) return []
    const are =
      paths.length === 1 ? 'is passed over because of its name' : 'are passed over because of their names'
    return [
      `${paths.join(', ')} ${are}: nothing is looked at in tools' own folders, nor in build output that git does not track.`,
    ]
  }

  private nothingThere(isAside: (path: string) => boolean): Pick<Finding, 'places' | 'notes'> {
    const { check, paths, languages } = this.assertion.rule
    const what = [languages.join(' or '), 'files'].filter(Boolean).join(' ')
    const aside = this.asideNote(isAside)
    const message = aside[0] ?? `There are no ${what}${paths.length > 0 ? ` at ${paths.join(', ')}` : ''}.`
    const requires = 'require' in check && check.require
    return requires
      ? { places: [{ file: paths[0] ?? null, line: null, message }], notes: [] }
      : { places: [], notes: [`It looked at no file. ${message}`] }
  }

  /** Of a rule for a language that nobody can read. */
  private neverReadable(): string | null {
    const { rule } = this.assertion
    if (rule.languages.length === 0 || rule.languages.some((language) => isReadable(rule, language)))
      return null
    return this.cannotRead(rule.languages)
  }

  private cannotRead(languages: readonly string[]): string {
    const what = this.assertion.rule.check.kind === 'tree' ? 'Syntax trees' : 'Imports'
    return `${what} of ${languages.join(', ')} cannot be read.`
  }
}

function shortened(faults: readonly string[], more: string): string[] {
  const rest = faults.length - mostFaults
  return [...faults]
    .sort()
    .slice(0, mostFaults)
    .concat(rest > 0 ? [`${rest} ${more}`] : [])
}
