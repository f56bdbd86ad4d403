import {
  type ArchitectureDocument,
  architectureDocuments,
  nearTo,
  openArchitecture,
  refOfUri,
} from '../../../answer/architecture/documents.js'
import { kindNamed } from '../../../answer/architecture/places.js'
import type { Library } from '../../../answer/library.js'
import { counted } from '../../../text/counted.js'
import { pathMatcher } from '../../../text/glob.js'
import { type Part, uriWith } from './template.js'

export interface Expansion {
  args: Readonly<Record<string, string>>
  /** Describes a tool and its parameters; null if it is not offered. */
  describeTool(name: string): string | null
}

const mostResources = 50
const mostBytes = 1_048_576
const mostListed = 300
const mostNamed = 20

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
        // Only declared arguments are placeholders.
        const given = Object.hasOwn(args, part.name) ? args[part.name]! : part.written
        if (given.trim() === '') return part.absent ?? given
        return part.isCode ? fenced(given) : given
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
    if (found.length === 0)
      return `[${[`There is no resource ${uri}.`, ...(await nearTo(library, uri))].join(' ')}]`
    const texts: string[] = []
    const out: string[] = []
    for (const document of found) {
      const text = budget.resources > 0 ? await whole(library, document) : ''
      const bytes = Buffer.byteLength(text)
      if (text === '' || bytes > budget.bytes) out.push(document.uri)
      else {
        budget.resources--
        budget.bytes -= bytes
        texts.push(text)
      }
    }
    return [...texts, ...leftOut(out, texts.length > 0)].join('\n\n')
  }

  return expand
}

function leftOut(uris: readonly string[], isMore: boolean): string[] {
  if (uris.length === 0) return []
  const what = counted(uris.length, isMore ? 'more resource' : 'resource')
  const why = `a prompt holds ${mostResources} resources and 1 MB at most`
  const names = [...uris.slice(0, mostNamed), ...(uris.length > mostNamed ? ['…'] : [])]
  return [`[${what} ${uris.length === 1 ? 'is' : 'are'} left out: ${why}. ${names.join(', ')}]`]
}

/** Between marks that the code itself does not have, unless it came with some. */
function fenced(code: string): string {
  const text = code.replace(/^\n+|\s+$/g, '')
  if (/^(`{3,}|~{3,})[^\n]*\n[\s\S]*\n\1$/.test(text)) return text
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
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
  if (kind === undefined) return uri
  return rest === '' && kind.includes('*') ? kind : `${kindNamed(kind) ?? kind}/${rest}`
}
