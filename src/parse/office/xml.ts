// XML as Office writes it: elements by their local names, no types declared, no entities but the five and numbers.
// The library reads a DTD over and expands nothing, so that there is nothing to attack but size and depth.
import { Parser } from 'htmlparser2'
import { Problem } from '../../model/problem.js'

export interface Element {
  /** Without the prefix: writers choose those freely. */
  name: string
  /** Keys as written, prefix included. */
  attributes: Record<string, string>
  children: (Element | string)[]
}

export interface XmlHandler {
  open?(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

const deepest = 256
/** A tree takes some hundred bytes an element; going through without keeping takes none. */
const mostElements = { inTree: 1_000_000, passed: 20_000_000 }

/** Goes through the elements of a document in order. */
export function readXml(source: string, handler: XmlHandler, most = mostElements.passed) {
  let depth = 0
  let elements = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > deepest)
          throw new Problem('damaged', `It is damaged: nested deeper than ${deepest} levels.`)
        if (++elements > most) throw new Problem('too_large', `It has more than ${most} elements.`)
        handler.open?.(localName(name), attributes)
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth--
        handler.close?.(localName(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(source)
  parser.end()
}

/** The whole document as a tree, under one root of no name. */
export function xmlTree(source: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [root]
  const handler: XmlHandler = {
    open(name, attributes) {
      const element: Element = { name, attributes, children: [] }
      open[open.length - 1]!.children.push(element)
      open.push(element)
    },
    text: (text) => open[open.length - 1]!.children.push(text),
    close: () => open.pop(),
  }
  readXml(source, handler, mostElements.inTree)
  return root
}

/** The text of a part: by its byte order mark, else by the encoding it declares, else UTF-8. */
export function xmlText(bytes: Uint8Array): string {
  const top = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200))
  if (top[0] === 0xff && top[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (top[0] === 0xfe && top[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const declared = /encoding\s*=\s*["']([\w.:-]+)/i.exec(top.toString('latin1'))?.[1]
  try {
    return new TextDecoder(declared ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** An attribute by its local name, whatever its prefix. */
export function attribute(element: Pick<Element, 'attributes'>, name: string): string | undefined {
  const { attributes } = element
  if (attributes[name] !== undefined) return attributes[name]
  const key = Object.keys(attributes).find((key) => localName(key) === name)
  return key === undefined ? undefined : attributes[key]
}

export function elementsOf(element: Element): Element[] {
  return element.children.filter((child) => typeof child !== 'string')
}

export function child(element: Element | undefined, ...path: string[]): Element | undefined {
  let at = element
  for (const name of path) at = at && elementsOf(at).find((inner) => inner.name === name)
  return at
}

/** Every element of a name, at any depth, in order. */
export function* descendants(element: Element, name: string): Generator<Element> {
  for (const inner of elementsOf(element)) {
    if (inner.name === name) yield inner
    yield* descendants(inner, name)
  }
}

export function textOf(element: Element | undefined): string {
  if (!element) return ''
  return element.children.map((inner) => (typeof inner === 'string' ? inner : textOf(inner))).join('')
}
