import type { Declaration, Parsed, Section } from '../../model/document.js'
import type { Note } from '../../model/problem.js'
import { lineAt, lineStarts } from '../../text/lines.js'
import { type Declared, readDeclarations } from './declarations.js'
import { withTree } from './grammars.js'
import { languageFor } from './languages.js'

/** Source code as its declarations. A language without a grammar, or a text no parser can take, has none. */
export async function parseCode(text: string, language: string, path: string): Promise<Parsed> {
  const known = languageFor(language, path)
  if (!known) return parsed(text, language, { declarations: [], notes: [] })
  const lines = lineStarts(text)
  const seen = known.mask?.(text) ?? text
  const { value, note } = await withTree(known.grammar, seen, (tree) =>
    readDeclarations(tree, known, text, lines),
  )
  if (!value) return parsed(text, language, { declarations: [], notes: [note] })
  return parsed(text, language, { declarations: value.declarations, notes: errorNotes(value.errors, lines) })
}

function parsed(
  text: string,
  language: string,
  found: Pick<Declared, 'declarations'> & { notes: Note[] },
): Parsed {
  return {
    format: 'code',
    language,
    title: null,
    text,
    sections: sectionsOf(found.declarations),
    blocks: [],
    declarations: found.declarations,
    links: [],
    tags: [],
    aliases: [],
    metadata: { symbols: found.declarations.length },
    notes: found.notes,
  }
}

/** Declarations serve as the headings of code; a nested one is one level below the one around it. */
function sectionsOf(declarations: readonly Declaration[]): Section[] {
  const open: Declaration[] = []
  return declarations.map((declared) => {
    while (open.length > 0 && open.at(-1)!.end <= declared.start) open.pop()
    open.push(declared)
    const { name: text, line, endLine, start, end } = declared
    return { level: open.length, text, line, endLine, start, end }
  })
}

function errorNotes(errors: readonly number[], lines: Uint32Array): Note[] {
  if (errors.length === 0) return []
  const places = [...new Set(errors.map((offset) => lineAt(lines, offset)))]
  const named = places.slice(0, 3).join(', ')
  const more = places.length > 3 ? ` and ${places.length - 3} more` : ''
  const line = places.length === 1 ? 'line' : 'lines'
  return [
    { code: 'parse_errors', message: `${line} ${named}${more} did not parse; the rest was understood.` },
  ]
}
