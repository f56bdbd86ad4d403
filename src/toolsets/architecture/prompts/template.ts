// A prompt's template, parsed once. Inserted text is not parsed: a `{{…}}` in an argument or a document stays as it is.

export type Part =
  | { kind: 'text'; text: string }
  /** `absent` stands where nothing is given: a file of the project says so in its own words. Code is put between marks. */
  | { kind: 'argument'; name: string; written: string; absent?: string; isCode?: boolean }
  /** Documents by uri; `*` stands for anything, `{name}` for an argument. */
  | { kind: 'resource'; uri: string }
  /** The same documents by uri and title alone. */
  | { kind: 'index'; uri: string }
  | { kind: 'tool'; name: string }

const placeholder =
  /\{\{\s*(?:(resource|index):((?:[^{}\n]|\{[\w-]+\})+)|tool:\s*([\w-]+)|([A-Za-z_][\w-]*))\s*\}\}/g

export function readTemplate(template: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of template.matchAll(placeholder)) {
    if (match.index > end) parts.push({ kind: 'text', text: template.slice(end, match.index) })
    parts.push(partOf(match))
    end = match.index + match[0].length
  }
  if (end < template.length) parts.push({ kind: 'text', text: template.slice(end) })
  return parts
}

function partOf([written, kind, uri, tool, name]: RegExpExecArray): Part {
  if (uri?.trim()) return { kind: kind as 'resource' | 'index', uri: uri.trim() }
  if (uri !== undefined) return { kind: 'text', text: written }
  return tool === undefined ? { kind: 'argument', name: name!, written } : { kind: 'tool', name: tool }
}

/** The arguments that a template mentions, in uris too. */
export function argumentsIn(parts: readonly Part[]): string[] {
  const names = parts.flatMap((part) => {
    if (part.kind === 'argument') return [part.name]
    return 'uri' in part ? [...part.uri.matchAll(inUri)].map(([, name]) => name!) : []
  })
  return [...new Set(names)]
}

const inUri = /\{([\w-]+)\}/g

/** A uri with its arguments in place, so written that none of them is a wildcard. Null when one of them is empty. */
export function uriWith(uri: string, args: Readonly<Record<string, string>>): string | null {
  let complete = true
  const filled = uri.replace(inUri, (_, name: string) => {
    const value = Object.hasOwn(args, name) ? args[name]!.trim() : ''
    if (value === '') complete = false
    return encodeURIComponent(value).replaceAll('*', '%2A')
  })
  return complete ? filled : null
}
