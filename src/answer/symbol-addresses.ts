// Addresses: `path`, `path:10-60`, `path#Class.method`, `path#Heading`, or a bare name. Every desk tool prints them, and
// `read` takes them back.
import { posix } from 'node:path'
import { Problem } from '../model/problem.js'
import type { FileSymbol, FileSymbols } from '../parse/file-symbols.js'
import { nearest } from '../text/nearest.js'

export interface Address {
  path: string
  lines?: [number, number]
  symbol?: string
}

export function parseAddress(written: string): Address {
  const address = partsOf(written.trim())
  const { path } = address
  return path.includes('/../') ? { ...address, path: posix.normalize(path) } : address
}

function partsOf(trimmed: string): Address {
  const numbers = /^(.+?):(\d+)(?:[-–,:](\d+))?$/.exec(trimmed)
  if (numbers) {
    const [first, last] = [Number(numbers[2]), Number(numbers[3] ?? numbers[2])]
    return { path: numbers[1]!, lines: first <= last ? [first, last] : [last, first] }
  }
  const hash = trimmed.indexOf('#')
  if (hash > 0) return { path: trimmed.slice(0, hash), symbol: trimmed.slice(hash + 1).trim() }
  return { path: trimmed }
}

/** Whether an address may be the bare name of a symbol: it has no sign of a path. */
export function isBareName({ path, lines, symbol }: Address): boolean {
  return (
    !lines &&
    symbol === undefined &&
    /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?$/u.test(path)
  )
}

/** The symbols that a name means: by its whole qualified name, its end, or without case; the best kind of match only. */
export function symbolsNamed({ symbols }: FileSymbols, written: string): FileSymbol[] {
  const name = written.replace(/\(\)$/, '').replaceAll('::', '.').replaceAll('#', '.')
  const plain = slug(name)
  const tests: ((symbol: FileSymbol) => boolean)[] = [
    ({ qualified, name: own }) => qualified === name || own === name,
    ({ qualified }) => qualified.endsWith(`.${name}`) || qualified.endsWith(` / ${name}`),
    ({ qualified, name: own }) => [qualified, own].some((one) => one.toLowerCase() === name.toLowerCase()),
    ({ kind, name: own }) => kind === 'heading' && slug(own) === plain,
    ({ kind, name: own }) => kind === 'heading' && plain.length >= 3 && slug(own).includes(plain),
  ]
  for (const test of tests) {
    const found = symbols.filter(test)
    if (found.length > 0) return found
  }
  return []
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** What to say of a name that a file does not declare: the lines that have it as a word, or the nearest name. */
export function noSymbol(
  path: string,
  written: string,
  { symbols, text }: FileSymbols & { text: string },
): Problem {
  const lines = linesWith(text, written)
  if (lines.length > 0) {
    const more = lines.length > 8 ? ` and ${lines.length - 8} more` : ''
    const hint = `It stands in ${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 8).join(', ')}${more}.`
    return new Problem('not_found', `${path} declares no "${written}".`, hint)
  }
  const names = symbols.flatMap(({ qualified, name }) => [qualified, name])
  const near = nearest(written, names)
  const hint = near
    ? `The nearest is ${path}#${near}.`
    : symbols.length > 0
      ? `It has ${symbols
          .slice(0, 8)
          .map(({ name }) => name)
          .join(', ')}${symbols.length > 8 ? ' …' : ''}: outline shows all.`
      : 'It declares no names: read a range of lines.'
  return new Problem('not_found', `No "${written}" in ${path}.`, hint)
}

/** The lines that have the last part of a name as a word. */
function linesWith(text: string, written: string): number[] {
  const name = /[\p{L}\p{N}_$]+(?=\W*$)/u.exec(written)?.[0]
  if (!name) return []
  const word = wholeWord(name)
  return text.split('\n').flatMap((line, i) => (word.test(line) ? [i + 1] : []))
}

export function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${name.replaceAll('$', '\\$&')}(?![\\p{L}\\p{N}_])`, 'u')
}
