// Sums up one rule over all the files that it was checked against.
import type { Rule } from '../../model/rule.js'
import { counted } from '../../text/counted.js'
import { cleanPath, pathMatcher, staticPart } from '../../text/glob.js'
import { didYouMean } from '../../text/nearest.js'
import type { Assertion } from './assertions.js'
import type { Finding } from './check.js'
import { layerOf } from './imports.js'
import { type Answer, importLanguages, treeLanguages } from './judge/ask.js'
import { type Verdict, verdictOf } from './verdict.js'

const mostFaults = 5
const scripted = new Set(['vue', 'svelte', 'astro', 'mdx'])

/** The result of a rule over all its files. */
export class Tally {
  private judged = 0
  private met = 0
  private broken: string | null = null
  /** Why its pattern is no code of a language, where it names none: it may be code of another. */
  private foreign: string | null = null
  private readonly places: Finding['places'] = []
  /** Files that could not be judged, and why. */
  private readonly faults: string[] = []
  /** Files of the rule that it cannot check, by their language. */
  private readonly languages = new Map<string, string[]>()
  /** Imports that could not be followed. */
  private readonly computed: string[] = []
  /** How many files were left when the time was up. */
  private late = 0
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
      this.places.push(...verdict.lines.map((line) => placeAt(path, line, verdict)))
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

  get isBroken(): boolean {
    return this.broken !== null
  }

  /** Counts a file that was not read because the time was up. */
  leave() {
    this.late++
  }

  finding(isAside: (path: string) => boolean, files: readonly string[]): Finding {
    const { assertion, judged, faults } = this
    const known = this.broken ?? this.neverReadable() ?? (judged === 0 ? this.foreign : null)
    const unchecked = this.whyUnchecked()
    const empty = unchecked === null && judged === 0 && known === null ? this.whyEmpty(isAside, files) : null
    const broken = known ?? empty
    const none = { assertion, broken, unchecked, places: [], notes: [] }
    if (unchecked !== null) return none
    if (judged === 0) return broken === null ? { ...none, ...this.nothingThere() } : none
    return {
      ...none,
      places: this.wrongPlaces(),
      notes: [
        ...(this.late > 0 ? [this.lateNote()] : []),
        ...this.emptyPaths(files).map((path) => `There are no files at ${path}.`),
        ...shortened(faults, 'more files could not be judged.'),
        ...this.excludedPaths(),
        ...this.asideNote(isAside),
        ...shortened(this.computed, 'more imports could not be followed.'),
      ],
    }
  }

  private lateNote(): string {
    return `The time was up before ${counted(this.late, 'file')} of its ${this.judged + this.late} could be looked at: give it a path, or raise --time-limit.`
  }

  private whyUnchecked(): string | null {
    const { judged, faults } = this
    const isSettled = this.oneIsEnough() ? this.met > 0 : this.places.length > 0
    if (this.late > 0 && !isSettled) return this.lateNote()
    if (faults.length > 0 && (judged === 0 || (this.oneIsEnough() && this.met === 0)))
      return [
        judged === 0 ? 'None of its files could be judged.' : 'It may be met where it could not be judged.',
        ...shortened(faults, 'more files.'),
      ].join(' ')
    const unread = judged === 0 && this.isPlaced() && this.languages.size > 0
    return unread ? this.cannotRead([...this.languages.keys()]) : null
  }

  /** Whether the rule names places. One without concerns all readable files, and there may be none. */
  private isPlaced(): boolean {
    const { paths, check } = this.assertion.rule
    return paths.length > 0 || check.kind === 'layers'
  }

  /** Notes on files in languages that the rule cannot check; without a place, only languages that embed scripts. */
  private excludedPaths(): string[] {
    const affected = [...this.languages].filter(([language]) => this.isPlaced() || scripted.has(language))
    return affected.map(([language, [first, ...rest]]) => {
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

  /** A note on places that the rule names and that are never read. */
  private asideNote(isAside: (path: string) => boolean): string[] {
    const paths = this.assertion.rule.paths.filter(isAside)
    if (paths.length === 0) return []
    const are =
      paths.length === 1 ? 'is passed over because of its name' : 'are passed over because of their names'
    return [
      `${paths.join(', ')} ${are}: nothing is looked at in tools' own folders, nor in build output: at the top of a package, or where git tracks nothing.`,
    ]
  }

  /** Why a rule that forbids something can never match. (A rule that requires something is violated instead.) */
  private whyEmpty(isAside: (path: string) => boolean, files: readonly string[]): string | null {
    const { rule } = this.assertion
    const { check, paths, except } = rule
    if ('require' in check && check.require) return null
    if (check.kind === 'layers' && paths.length === 0) {
      const empty = this.emptyPaths(files)
      return empty.length > 0 ? `It can never match: there are no files at ${empty.join(', ')}.` : null
    }
    if (paths.length === 0) return null
    const about = files.filter(pathMatcher(paths))
    if (about.length === 0)
      return `It can never match. ${this.asideNote(isAside)[0] ?? noFilesAt(paths, files)}`
    return about.every(pathMatcher(except))
      ? 'It can never match: it makes an exception of every file.'
      : null
  }

  /** The places of the rule that have no file. */
  private emptyPaths(files: readonly string[]): string[] {
    const { paths, check } = this.assertion.rule
    const layers = check.kind === 'layers' ? check.layers : []
    return [
      ...paths.filter((path) => !files.some(pathMatcher([path]))),
      ...layers
        .filter((layer) => !files.some((file) => layerOf([layer], file) === 0))
        .flatMap(({ paths }) => paths),
    ]
  }

  private nothingThere(): Pick<Finding, 'places' | 'notes'> {
    const { check, paths, languages } = this.assertion.rule
    const what = [languages.join(' or '), 'files'].filter(Boolean).join(' ')
    const message = `There are no ${what}${paths.length > 0 ? ` at ${paths.join(', ')}` : ''}.`
    const requires = 'require' in check && check.require
    return requires
      ? { places: [{ file: paths[0] ?? null, line: null, message }], notes: [] }
      : { places: [], notes: [`It looked at no file. ${message}`] }
  }

  /** The reason, if no parser can read any language of the rule. */
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

function noFilesAt(paths: readonly string[], files: readonly string[]): string {
  const message = `There are no files at ${paths.join(', ')}.`
  const below = paths.find((path) => files.some(pathMatcher([`${path}/**`])))
  if (below !== undefined) return `${message} Did you mean ${below}/**?`
  const folders = new Set(files.map((file) => file.split('/').slice(0, -1).join('/')))
  const meant = paths
    .map((path) => didYouMean(staticPart(cleanPath(path)), [...folders, ...files]))
    .find(Boolean)
  return meant ? `${message} ${meant}` : message
}

function placeAt(file: string, line: number, { messages }: Verdict): Finding['places'][number] {
  const message = messages?.get(line)
  return { file, line, ...(message ? { message } : {}) }
}

function shortened(faults: readonly string[], more: string): string[] {
  const rest = faults.length - mostFaults
  return [...faults]
    .sort()
    .slice(0, mostFaults)
    .concat(rest > 0 ? [`${rest} ${more}`] : [])
}

/** Trees and imports can be had of some languages only. */
export function isReadable({ check }: Rule, language: string | null): boolean {
  if (check.kind === 'tree') return (treeLanguages as readonly (string | null)[]).includes(language)
  if (check.kind === 'import' || check.kind === 'layers')
    return (importLanguages as readonly (string | null)[]).includes(language)
  return true
}
