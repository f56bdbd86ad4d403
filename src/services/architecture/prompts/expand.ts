import { pathMatcher } from '../../../text/glob.js'
import type { Library } from '../../library.js'
import { type ArchitectureDocument, architectureDocuments, openArchitecture, refOfUri } from '../documents.js'
import { kindNamed } from '../places.js'
import { type Part, uriWith } from './template.js'

export interface Expansion {
  args: Readonly<Record<string, string>>
  /** What a tool does and takes, in words; null for one that is not offered. */
  describeTool(name: string): string | null
}

const mostResources = 50
const mostBytes = 1_048_576
const mostListed = 300

/** Puts things in their places. One budget serves a whole prompt, so it is made once and used for each message. */
export function expander(library: Library, { args, describeTool }: Expansion) {
  const budget = { resources: mostResources, bytes: mostBytes }

  async function expand(parts: readonly Part[]): Promise<string> {
    const pieces: string[] = []
    for (const part of parts) pieces.push(await piece(part))
    return pieces.join('')
  }

  async function piece(part: Part): Promise<string> {
    switch (part.kind) {
      case 'text':
        return part.text
      case 'argument': {
        // What nobody declared is no placeholder.
        const given = Object.hasOwn(args, part.name) ? args[part.name]! : part.written
        return given.trim() === '' ? (part.absent ?? given) : given
      }
      case 'tool':
        return describeTool(part.name) ?? notOffered(part.name)
      case 'index':
        return index(library, uriWith(part.uri, args))
      case 'resource':
        return resources(uriWith(part.uri, args))
    }
  }

  async function resources(uri: string | null): Promise<string> {
    if (uri === null) return ''
    const found = await meant(library, uri)
    if (found.length === 0) return `[There is no resource ${uri}.]`
    const texts: string[] = []
    for (const document of found) {
      if (budget.resources === 0) break
      const text = await whole(library, document)
      const bytes = Buffer.byteLength(text)
      if (bytes > budget.bytes) break
      budget.resources--
      budget.bytes -= bytes
      texts.push(text)
    }
    const left = found.length - texts.length
    if (left > 0)
      texts.push(
        `[${left} more resources are left out: a prompt holds ${mostResources} resources and 1 MB at most.]`,
      )
    return texts.join('\n\n')
  }

  return expand
}

function notOffered(tool: string): string {
  return `[The tool ${tool} is not offered here. Do without it, and say so in your answer.]`
}

async function whole(library: Library, document: ArchitectureDocument): Promise<string> {
  const opened = await openArchitecture(library, document)
  return `<<< ${document.uri}\n${opened?.stored.text.trimEnd() ?? '[It is gone since it was indexed.]'}\n>>> ${document.uri}`
}

async function index(library: Library, uri: string | null): Promise<string> {
  const found = uri === null ? [] : await meant(library, uri)
  if (found.length === 0) return '- (none)'
  const lines = found
    .slice(0, mostListed)
    .map(({ uri, title, status }) => `- ${uri}: ${title}${status ? ` (${status})` : ''}`)
  const left = found.length - lines.length
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')
}

async function meant(library: Library, uri: string): Promise<ArchitectureDocument[]> {
  const all = await architectureDocuments(library)
  if (uri.includes('*')) {
    const is = pathMatcher([canonical(uri).replace(/\*+$/, '**')])
    return all.filter((document) => is(canonical(document.uri)))
  }
  const ref = await refOfUri(library, uri)
  return all.filter((document) => ref && document.ref.source === ref.source && document.ref.path === ref.path)
}

function canonical(uri: string): string {
  const [, kind, rest] = /^architecture:\/\/([^/]*)\/?(.*)$/s.exec(uri) ?? []
  return kind === undefined ? uri : `${kindNamed(kind) ?? kind}/${rest}`
}
