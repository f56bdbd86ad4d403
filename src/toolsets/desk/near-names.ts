// What may have been meant by a name that no line has.
import type { Library } from '../../answer/library.js'
import { rootOf } from '../../answer/project-texts.js'
import { grepLines } from '../../sources/grep-lines.js'
import { nearest } from '../../text/nearest.js'

const mostNames = 5
/** Lines of so many matches are looked at. */
const mostLines = 20_000

/** A hint: names that contain it in any case, else the nearest in spelling. */
export async function nearNames(library: Library, name: string, within?: readonly string[]): Promise<string> {
  const root = rootOf(library)
  const loose = await grepLines({ root, pattern: escaped(name), caseSensitive: false, within })
  const words = new Map<string, number>()
  const pattern = new RegExp(`[\\p{L}\\p{N}_$]*${escaped(name)}[\\p{L}\\p{N}_$]*`, 'giu')
  for (const { text } of loose.lines.slice(0, mostLines))
    for (const [word] of text.matchAll(pattern)) words.set(word, (words.get(word) ?? 0) + 1)
  const near = [...words].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, mostNames)
  if (near.length > 0) return `Near: ${near.map(([word, count]) => `${word} (${count})`).join(', ')}.`
  const spelled = await nearestSpelling(root, name)
  return spelled ? `The nearest name is ${spelled}.` : 'find searches by meaning.'
}

/** A misspelt name: among the words of lines that share one half of it. */
async function nearestSpelling(root: string, name: string): Promise<string | null> {
  if (name.length < 4) return null
  const halves = [name.slice(0, Math.ceil(name.length / 2)), name.slice(Math.floor(name.length / 2))]
  const { lines } = await grepLines({ root, pattern: halves.map(escaped).join('|'), caseSensitive: false })
  const words = new Set(
    lines
      .slice(0, mostLines)
      .flatMap(({ text }) => text.slice(0, 400).match(/[\p{L}_$][\p{L}\p{N}_$]{3,60}/gu) ?? []),
  )
  return nearest(name, words)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
