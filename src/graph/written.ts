// Links as text: formatted for warnings, and rewritten to a note's new name.
import type { Link } from '../model/document.js'
import { definitionAt, destinationAt, linkTo, wikiTarget } from '../parse/destination.js'
import { sameName } from '../text/normal-forms.js'
import type { Resolver } from './graph.js'
import { folderOf, lastSegment, noteEnding, readableTarget, withoutEnding } from './names.js'
import { formOf } from './resolve.js'

/** Formats a link in its usual notation. */
export function shown(link: Link): string {
  const place = link.heading !== null ? `#${link.heading}` : link.block !== null ? `^${link.block}` : ''
  if (formOf(link) === 'markdown') return `[${link.label ?? ''}](${link.target}${place})`
  const label = link.label === null ? '' : `|${link.label}`
  return `${link.kind === 'embed' ? '!' : ''}[[${link.target}${place}${label}]]`
}

export interface Place {
  path: string
  title: string
}

export interface Retargeting {
  /** The note that contains the link. */
  from: string
  link: Link
  /** The link's text in the note. */
  written: string
  /** How many of the separators `#` and `^` belong to the name. */
  signs: number
  /** The note's old and new name. */
  old: Place
  to: Place
}

/** All spellings of the link that resolve to `to`, the one closest to the old style first. */
export function retarget(graph: Resolver, task: Retargeting): string[] {
  const spellings = formOf(task.link) === 'markdown' ? destinations(task) : wikiNames(task)
  const tried = spellings.flatMap((written) => {
    const link = reread(task.link, written)
    const found = link && graph.resolve(task.from, link)
    return found?.path === task.to.path ? [{ written, doubtful: found.others.length > 0 }] : []
  })
  const [clear, doubtful] = [false, true].map((is) => tried.filter((one) => one.doubtful === is))
  return [...new Set([...clear!, ...doubtful!].map(({ written }) => written))]
}

/** Parses a rewritten link. */
function reread(link: Link, written: string): Link | null {
  if (formOf(link) === 'wiki') {
    const target = wikiTarget(written.slice(written.indexOf('[[') + 2, -2))
    return target && { ...link, ...target, end: link.start + written.length }
  }
  const span = destinationIn(written)
  const target = span && linkTo(written.slice(span.start, span.end), link.label ?? '', false)
  return target && { ...link, ...target, end: link.start + written.length }
}

function wikiNames(task: Retargeting): string[] {
  const { written } = task
  const start = written.indexOf('[[') + 2
  const inside = written.slice(start, -2)
  const cut = endOfName(inside, task.signs)
  const name = cut < 0 ? inside : inside.slice(0, cut)
  const [before, after] = [/^\s*/.exec(name)![0], name.slice(name.trimEnd().length)]
  const rest = (cut < 0 ? '' : inside.slice(cut)) + written.slice(-2)
  return namesInStyle(task, name.trim())
    .filter((one) => !unsafe.test(one))
    .map((one) => written.slice(0, start) + before + one + after + rest)
}

/** Where the name ends: at the separator after those that belong to it, or at the bar; -1 if nothing follows. */
function endOfName(inside: string, signs: number): number {
  const bar = inside.search(/\\?\|/)
  const ends = [...inside.matchAll(/#\^|[#^]/g)].map(({ index }) => index)
  const end = ends[signs] ?? -1
  return end < 0 || (bar >= 0 && bar < end) ? bar : end
}

const unsafe = /[[\]|\r\n]/

/** Names for the note, the one most like the old spelling first. */
function namesInStyle({ from, old, to }: Retargeting, name: string): string[] {
  const bare = withoutEnding(to.path)
  const end = noteEnding(name) === '' ? '' : noteEnding(to.path)
  const byTitle =
    sameName(name) === sameName(old.title) &&
    sameName(name) !== sameName(lastSegment(withoutEnding(old.path)))
  const names = byTitle ? [to.title] : []
  if (/^\.{1,2}\//.test(name))
    names.push(relative(from, to.path, name).slice(0, -noteEnding(to.path).length || undefined) + end)
  else if (!byTitle && name.includes('/')) {
    const depth = name.replace(/^\/+/, '').split('/').length
    names.push((name.startsWith('/') ? '/' : '') + bare.split('/').slice(-depth).join('/') + end)
    names.push(bare + end)
  }
  // A path before the title: programs that do not know titles can follow it too.
  return [...names, lastSegment(bare) + end, bare + end, to.title, to.path]
}

function destinations({ from, link, written, to, signs }: Retargeting): string[] {
  const span = destinationIn(written)
  if (!span) return []
  const target = readableTarget(link) + (signs > 0 ? noteEnding(to.path) : '')
  const path = target.startsWith('/') ? `/${to.path}` : relative(from, to.path, target)
  const bare = noteEnding(target) === '' ? withoutEnding(path) : path
  const tail = signs > 0 ? '' : written.slice(span.start, span.end).slice(link.target.length)
  return [bare, path].map(
    (one) =>
      written.slice(0, span.start) + encoded(one, link.target, span.angle) + tail + written.slice(span.end),
  )
}

/** The position of the destination in a Markdown link or definition. */
function destinationIn(written: string): { start: number; end: number; angle: boolean } | null {
  for (let at = written.indexOf(']('); at >= 0; at = written.indexOf('](', at + 1)) {
    const found = destinationAt(written, at + 2, written.length)
    if (found?.end === written.length) return within(written, found.target, at + 2)
  }
  const defined = /^\[[^\]]*\]:/.test(written) ? definitionAt(written, 0, written.length) : null
  return defined && within(written, defined.target, written.indexOf(']:') + 2)
}

function within(written: string, target: string, from: number) {
  const start = written.indexOf(target, from)
  return start < 0 ? null : { start, end: start + target.length, angle: written[start - 1] === '<' }
}

function relative(from: string, to: string, style: string): string {
  const [here, there] = [folderOf(from).split('/').filter(Boolean), to.split('/')]
  let shared = 0
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++
  const up = '../'.repeat(here.length - shared)
  return (up === '' && style.startsWith('./') ? './' : up) + there.slice(shared).join('/')
}

function encoded(path: string, before: string, angle: boolean): string {
  if (angle) return path.replace(/[<>\\%#?]/g, percent)
  const foreign = /%[89a-f][\da-f]/i.test(before)
  const plain = path.replace(/[\s()<>\\%#?"|&*_`[\]]/g, percent)
  return foreign ? plain.replace(/[^\x00-\x7f]+/g, encodeURIComponent) : plain
}

function percent(sign: string): string {
  return encodeURIComponent(sign).replace(
    /[()*_]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
