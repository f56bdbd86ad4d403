// Reads the fields of a fenced `rule` block by name. A field that was never read is reported as a typing error.
import type { Document } from 'yaml'
import { didYouMean, nearest } from '../../text/nearest.js'
import { readYaml } from '../yaml.js'

/** An error in a block, as a sentence. */
export class Wrong extends Error {}

export interface Fields {
  raw(name: string): unknown
  /** A text that must be there. */
  text(name: string): string
  optional(name: string): string | undefined
  flag(name: string): boolean
  /** One text or a list of them, under one of these names. */
  texts(...names: string[]): string[]
  /** The same, at least one. */
  some(...names: string[]): string[]
  /** Reports every field that was not read. */
  refuseOthers(kind: string): void
}

const longestBlock = 20_000
const common = [
  'id',
  'kind',
  'severity',
  'message',
  'suggestion',
  'language',
  'languages',
  'path',
  'paths',
  'from',
  'except',
]

/** Fields of most kinds that this kind ignores. */
function idle(kind: string): string[] {
  if (kind.startsWith('file-')) return ['language', 'languages', 'from']
  return kind.endsWith('-dependency') ? ['language', 'languages'] : []
}

export function fieldsOf(yaml: string): Fields {
  const values = valuesOf(yaml)
  const knownNames = new Set<string>(common)
  const raw = (name: string): unknown => {
    knownNames.add(name)
    return Object.hasOwn(values, name) ? values[name] : undefined
  }
  const optional = (name: string) => {
    const value = raw(name)
    if (value === undefined || value === null) return undefined
    if (typeof value === 'object') throw new Wrong(`"${name}" is one text.`)
    return String(value)
  }
  const missing = (name: string) => {
    if (Object.hasOwn(values, name)) return new Wrong(`"${name}" is empty. ${quoteIt}`)
    const strange = Object.keys(values).filter((one) => !knownNames.has(one))
    const meant = nearest(name, strange)
    return new Wrong(`It has no "${name}"${meant === null ? '' : `, but a field "${meant.slice(0, 60)}"`}.`)
  }
  const text = (name: string) => {
    const value = optional(name)?.trim()
    if (!value) throw missing(name)
    return value
  }
  const texts = (...names: string[]) =>
    names.flatMap((name) => {
      const value = raw(name) ?? []
      const list = Array.isArray(value) ? value : [value]
      if (list.some((one) => typeof one === 'object'))
        throw new Wrong(`"${name}" is a text or a list of texts.`)
      return list.map((one) => String(one).trim()).filter(Boolean)
    })
  return {
    raw,
    text,
    optional,
    texts,
    flag(name) {
      const value = raw(name) ?? false
      if (typeof value !== 'boolean') throw new Wrong(`"${name}" is true or false.`)
      return value
    },
    some(...names) {
      const found = texts(...names)
      if (found.length === 0) throw missing(names.find((name) => Object.hasOwn(values, name)) ?? names[0]!)
      return found
    },
    refuseOthers(kind) {
      const strange = Object.keys(values).find((name) => !knownNames.has(name) || idle(kind).includes(name))
      if (strange === undefined) return
      throw new Wrong(
        `${kind} has no field "${strange.slice(0, 60)}". ${knownNames.has(strange) ? '' : (didYouMean(strange, knownNames) ?? '')}`.trim(),
      )
    },
  }
}

function valuesOf(yaml: string): Record<string, unknown> {
  if (yaml.length > longestBlock) throw new Wrong('The block is too long.')
  const document = documentOf(yaml)
  const error = document.errors[0]
  if (error) {
    const hint = error.code === 'DUPLICATE_KEY' ? '' : ` ${quoteIt}`
    throw new Wrong(`It cannot be read as YAML (${error.message.split('\n')[0]}).${hint}`)
  }
  const value: unknown = toPlain(document)
  if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Wrong('A rule is a list of fields such as "id: …" and "kind: …".')
}

function documentOf(yaml: string): Document.Parsed {
  try {
    return readYaml(yaml, { logLevel: 'silent' })
  } catch (error) {
    throw unreadable(error)
  }
}

function toPlain(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 20 })
  } catch (error) {
    throw unreadable(error)
  }
}

function unreadable(error: unknown): Wrong {
  const { message } = error as Error
  // A pattern that begins with a star is the name of something to YAML.
  const hint = message.startsWith('Unresolved alias') ? ` ${quoteIt}` : ''
  return new Wrong(`It cannot be read as YAML (${message}).${hint}`)
}

const quoteIt = 'Put a text that has "\\", ": " or " #" in it, or begins with a sign, between single quotes.'
