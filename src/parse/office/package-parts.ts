// Shared by Office files and books: parts in an archive that refer to each other, and metadata with title and author.
import { damaged, oneLine, stated } from './converted.js'
import { attribute, descendants, type Element, elementsOf, textOf, xmlText, xmlTree } from './xml.js'
import type { Zip } from './zip.js'

/** A part as a tree; null when it is not there. */
export function readPart(zip: Zip, name: string): Element | null {
  const bytes = zip.bytes(name)
  return bytes ? xmlTree(xmlText(bytes)) : null
}

export function requirePart(zip: Zip, name: string): Element {
  const part = readPart(zip, name)
  if (!part) throw damaged(`its part "${name}" is missing`)
  return part
}

export interface Relation {
  /** The last word of its type: `slide`, `notesSlide`, `worksheet`. */
  type: string
  /** The name of the target part; null for a target outside the file. */
  target: string | null
}

/** The relationships of a part, by id. */
export function relationsOf(zip: Zip, part: string): Map<string, Relation> {
  const slash = part.lastIndexOf('/') + 1
  const folder = part.slice(0, slash)
  const tree = readPart(zip, `${folder}_rels/${part.slice(slash)}.rels`)
  const relations = new Map<string, Relation>()
  for (const element of tree ? descendants(tree, 'Relationship') : []) {
    const { Id, Type = '', Target = '', TargetMode } = element.attributes
    const target = TargetMode === 'External' ? null : resolvePart(folder, Target)
    if (Id) relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target })
  }
  return relations
}

/** A path in the archive, seen from a folder in it. It cannot lead out: above the root is the root. */
export function resolvePart(folder: string, target: string): string {
  const path = target.startsWith('/') ? target : folder + target
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/** The main part of an Office file. */
export function mainPart(zip: Zip, usual: string): string {
  return relatedPart(zip, '', 'officeDocument', usual)
}

/** A single related part: by its declared relationship, else at its usual path. */
export function relatedPart(zip: Zip, part: string, type: string, usual: string): string {
  const declared = [...relationsOf(zip, part).values()].find((relation) => relation.type === type)?.target
  return declared && zip.names.includes(declared) ? declared : usual
}

/** Title, author and dates as Office keeps them. A broken card is no reason to refuse the document. */
export function coreProperties(zip: Zip): { title: string | null; metadata: Record<string, unknown> } {
  const tree = softPart(zip, relatedPart(zip, '', 'core-properties', 'docProps/core.xml'))
  const fields = new Map(
    elementsOf(tree ? (elementsOf(tree)[0] ?? tree) : emptyElement).map((field) => [
      field.name,
      oneLine(textOf(field)),
    ]),
  )
  return {
    title: fields.get('title') || null,
    metadata: stated({
      author: fields.get('creator') || fields.get('lastModifiedBy'),
      date: isoDate(fields.get('created')),
      modified: isoDate(fields.get('modified')),
      subject: fields.get('subject'),
      description: fields.get('description'),
      keywords: fields.get('keywords'),
      language: fields.get('language'),
    }),
  }
}

const emptyElement: Element = { name: '', attributes: {}, children: [] }

function softPart(zip: Zip, name: string): Element | null {
  try {
    return readPart(zip, name)
  } catch {
    return null
  }
}

/** A date that is one, as ISO 8601; undefined otherwise. */
export function isoDate(written: string | undefined): string | undefined {
  const found = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/.exec(
    written?.trim() ?? '',
  )
  return found?.[0]
}

export function idOf(element: Element): string | undefined {
  const key = Object.keys(element.attributes).find((key) => key.endsWith(':id'))
  return key ? element.attributes[key] : attribute(element, 'id')
}
