// What a text imports, with lines. By form, on code without its comments.
import { posix } from 'node:path'
import { lineAt, lineStarts } from '../../../text/lines.js'
import { maskCode } from '../../../text/mask-code.js'
import type { Answer, Subject } from './ask.js'

export function importsIn(text: string, { language, path }: Subject): Answer {
  const forms = byLanguage.get(language ?? '')
  if (!forms) return { failed: `The imports of ${language ?? 'this text'} cannot be read.` }
  const code = maskCode(text, language, { keepStrings: true })
  const starts = lineStarts(text)
  const found = forms.flatMap((form) => [...code.matchAll(form)]).flatMap((match) => specifiers(match, language!))
  return {
    imports: found
      .map(({ specifier, offset }) => ({ specifier, line: lineAt(starts, offset), ...leadsTo(specifier, path) }))
      .sort((a, b) => a.line - b.line),
  }
}

const script = [
  /\b(?:import|export)\s+(?:type\s+)?(?:[\w$*{}\s,]+?\s+from\s+)?["']([^"'\n]+)["']/g,
  /\b(?:import|require)\s*\(\s*["']([^"'\n]+)["']/g,
]
const byLanguage = new Map<string, RegExp[]>([
  ['typescript', script],
  ['javascript', script],
  ['python', [/^[ \t]*from[ \t]+([\w.]+)[ \t]+import\b/gm, /^[ \t]*import[ \t]+([\w., \t]+)/gm]],
  ['go', [/^[ \t]*import[ \t]+(?:[\w.]+[ \t]+)?"([^"\n]+)"/gm, /^[ \t]*(?:[\w.]+[ \t]+)?"([^"\n]+)"[ \t]*$/gm]],
  ['rust', [/^[ \t]*(?:pub[ \t]+)?(?:use|extern[ \t]+crate)[ \t]+([\w:]+)/gm]],
  ['java', [/^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+(?:\.\*)?)/gm]],
])

/** The languages whose imports are read. */
export const importLanguages = [...byLanguage.keys()]

function specifiers(match: RegExpExecArray, language: string): { specifier: string; offset: number }[] {
  const offset = match.index + Math.max(0, match[0].search(/\S/))
  const written = match[1]!.trim()
  const names = language === 'python' ? written.split(',').map((name) => name.trim().split(/\s/)[0]!) : [written]
  return names.filter(Boolean).map((specifier) => ({ specifier, offset }))
}

function leadsTo(specifier: string, path: string | null): { path?: string } {
  if (path === null || !/^\.{1,2}(?:\/|$)/.test(specifier)) return {}
  const joined = posix.join(posix.dirname(path), specifier)
  return joined.startsWith('..') ? {} : { path: joined }
}
