// What builds with Gradle depend on: in scripts of either language, and in catalogues of versions.
import { lineAt, lineStarts, linesOf } from '../text/lines.js'
import type { Dependency } from './dependencies.js'

export function gradle(text: string): Dependency[] {
  const code = text.replace(stringOrComment, (all, string) => (string ? all : all.replace(/[^\n]/g, ' ')))
  const starts = lineStarts(code)
  const found = [...code.matchAll(coordinates), ...code.matchAll(named)]
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ 1: name, 2: rest, index }) => ({
      name: rest === undefined ? name! : `${name}:${rest}`,
      line: lineAt(starts, index),
    }))
}

const stringOrComment =
  /("(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
const coordinates = /["']([\w.-]+:[\w.-]+)(?::[^"'\n]*)?["']/g
const named = /\bgroup\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']/g

/** `libs.versions.toml`: what its libraries stand for. */
export function gradleCatalogue(text: string): Dependency[] {
  let section = ''
  return linesOf(text).flatMap((written, i) => {
    const line = written.replace(/("[^"]*"|'[^']*')|#.*$/g, '$1')
    section = /^\s*\[([\w.-]+)\]/.exec(line)?.[1] ?? section
    const name = section === 'libraries' ? (module(line) ?? groupAndName(line)) : null
    return name ? [{ name, line: i + 1 }] : []
  })
}

function module(line: string): string | null {
  return /=\s*["']([\w.-]+:[\w.-]+)/.exec(line)?.[1] ?? null
}

function groupAndName(line: string): string | null {
  const [, group] = /\bgroup\s*=\s*["']([\w.-]+)["']/.exec(line) ?? []
  const [, name] = /\bname\s*=\s*["']([\w.-]+)["']/.exec(line) ?? []
  return group && name ? `${group}:${name}` : null
}
