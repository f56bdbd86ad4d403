// Word has more wrappers around words than mammoth knows, and mammoth drops the contents of an unknown one:
// fields, equations, right-to-left text, text boxes. Here they are replaced by elements that it knows.
import { escaped } from '../html-tree.js'
import { term } from '../raised.js'
import { damaged } from './converted.js'
import { child, type Element, elementsOf, localName, textOf, xmlTree } from './xml.js'

/** A part of a Word file, all its words within reach. In one pass; the text of everything else stays as it was written. */
export function withAllWords(xml: string): string {
  const open = [opened('', '', null)]
  const top = () => open[open.length - 1]!
  let from = 0
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const tag = tagAt(xml, at)
    at = tag.end
    if (tag.name === 't') top().hasText = true
    const isFrame = Object.hasOwn(closings, tag.name)
    const known = alike.get(tag.name)
    if (!isFrame && !known && !wrappers.has(tag.name)) continue
    const written = xml.slice(tag.start, tag.end)
    top().text += xml.slice(from, tag.start)
    from = tag.end
    if (known) top().text += written.replace(tag.name, known)
    if (!isFrame) continue
    if (tag.kind !== 'close') open.push(opened(tag.name, tag.kind === 'hollow' ? '' : written, top()))
    if (open.length > deepest) throw damaged('it is nested too deeply')
    if (tag.kind === 'open') continue
    // The next reader reports the error.
    if (top().name !== tag.name) return xml
    const frame = open.pop()!
    closings[tag.name]!(frame, top(), written)
  }
  return open.length === 1 ? top().text + xml.slice(from) : xml
}

const deepest = 100

/** Wrappers without a meaning of their own. `rt`, the pronunciation above a word, stays and is dropped later. */
const wrappers = new Set('fldSimple bdo dir ruby rubyBase oval arc curve line polyline'.split(' '))

/** Signs that mammoth does not know, with their replacements. */
const alike = new Map([
  ['cr', 'br'],
  ['ptab', 'tab'],
])

interface Frame {
  name: string
  tag: string
  text: string
  /** The text boxes of a drawing, where mammoth looks for pictures only. */
  boxes: string
  inDrawing: boolean
  hasText: boolean
  choices: Frame[]
  fallback: Frame | null
}

function opened(name: string, tag: string, parent: Frame | null): Frame {
  const inDrawing = name === 'drawing' || (name !== 'txbxContent' && (parent?.inDrawing ?? false))
  return { name, tag, text: '', boxes: '', inDrawing, hasText: false, choices: [], fallback: null }
}

const closings: Readonly<Record<string, (frame: Frame, parent: Frame, end: string) => void>> = {
  txbxContent(frame, parent, end) {
    parent[parent.inDrawing ? 'boxes' : 'text'] += frame.tag + frame.text + end
    parent.hasText ||= frame.hasText
  },
  drawing(frame, parent, end) {
    parent.text += frame.tag + frame.text + end
    if (frame.boxes !== '') parent.text += `<w:pict ${names}>${frame.boxes}</w:pict>`
    parent.hasText ||= frame.hasText
  },
  Choice(frame, parent) {
    parent.choices.push(frame)
  },
  Fallback(frame, parent) {
    parent.fallback ??= frame
  },
  /** The fallback is what mammoth can read, but it may be a picture of the words, or not be there. */
  AlternateContent({ choices, fallback }, parent) {
    const all = fallback ? [fallback, ...choices] : choices
    const chosen = all.find(({ hasText }) => hasText) ?? all[0]
    if (!chosen) return
    parent.text += chosen.text
    parent.boxes += chosen.boxes
    parent.hasText ||= chosen.hasText
  },
  oMathPara(frame, parent) {
    parent.text += frame.text
    parent.hasText ||= frame.hasText
  },
  oMath(frame, parent, end) {
    const formula = escaped(formulaText(xmlTree(frame.tag + frame.text + end)).trim())
    const line = parent.name === 'oMathPara' && parent.hasText ? '<w:br/>' : ''
    parent.text += `<w:r ${names}>${line}<w:t xml:space="preserve">${formula}</w:t></w:r>`
    parent.hasText = true
  },
}

const names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

interface Tag {
  kind: 'open' | 'close' | 'hollow'
  name: string
  start: number
  end: number
}

function tagAt(xml: string, start: number): Tag {
  for (const [sign, close] of unread)
    if (xml.startsWith(sign, start)) return { kind: 'hollow', name: '', start, end: after(xml, close, start) }
  tagName.lastIndex = start + 1
  const [written = '', slash = '', name = ''] = tagName.exec(xml) ?? []
  const end = tagEnd(xml, start + 1 + written.length)
  const kind = slash === '/' ? 'close' : xml[end - 2] === '/' ? 'hollow' : 'open'
  return { kind, name: localName(name), start, end }
}

const unread = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const
const tagName = /(\/?)([A-Za-z_][\w.:-]*)/y

function tagEnd(xml: string, from: number): number {
  for (let at = from; at < xml.length; at++) {
    const sign = xml[at]!
    if (sign === '>') return at + 1
    if (sign === '"' || sign === "'") at = after(xml, sign, at + 1) - 1
  }
  return xml.length
}

function after(xml: string, sign: string, from: number): number {
  const found = xml.indexOf(sign, from)
  return found < 0 ? xml.length : found + sign.length
}

// Equations of Word on one line, in the way one would type them: (a+b)/2, x_i^2, √(n).

function formulaText(element: Element): string {
  const shape = shapes.get(element.name)
  if (shape) return shape((name) => formulaText(child(element, name) ?? nothing), element)
  return element.name === 't'
    ? textOf(element)
    : elementsOf(element).filter(isVisible).map(formulaText).join('')
}

const nothing: Element = { name: '', attributes: {}, children: [] }

/** False for formatting and for deleted or moved text. */
function isVisible({ name }: Element): boolean {
  return !name.endsWith('Pr') && name !== 'del' && name !== 'moveFrom'
}

type Shape = (part: (name: string) => string, element: Element) => string

const shapes = new Map<string, Shape>(
  Object.entries({
    br: () => ' ',
    f: (part) => `${term(part('num'))}/${term(part('den'))}`,
    sSup: (part) => term(part('e')) + raised(part),
    sSub: (part) => term(part('e')) + lowered(part),
    sSubSup: (part) => term(part('e')) + lowered(part) + raised(part),
    sPre: (part) => `${lowered(part)}${raised(part)} ${part('e')}`,
    limLow: (part) => `${part('e')}_${term(part('lim'))}`,
    limUpp: (part) => `${part('e')}^${term(part('lim'))}`,
    func: (part) => `${part('fName')} ${part('e')}`,
    rad: (part) => `${part('deg')}√${term(part('e'))}`,
    nary: (part, element) => `${sign(element, 'chr', '∫')}${lowered(part)}${raised(part)} ${part('e')}`,
    d: (_, element) =>
      sign(element, 'begChr', '(') +
      members(element, 'e').join(sign(element, 'sepChr', '|')) +
      sign(element, 'endChr', ')'),
    eqArr: (_, element) => members(element, 'e').join('; '),
    m: (_, element) => `[${members(element, 'mr').join('; ')}]`,
    mr: (_, element) => members(element, 'e').join(', '),
  } satisfies Record<string, Shape>),
)

function lowered(part: (name: string) => string): string {
  return script('_', part('sub'))
}

function raised(part: (name: string) => string): string {
  return script('^', part('sup'))
}

function script(mark: string, text: string): string {
  return text === '' ? '' : mark + term(text)
}

function members(element: Element, name: string): string[] {
  return elementsOf(element)
    .filter((inner) => inner.name === name)
    .map(formulaText)
}

/** A sign that the writer may have chosen, even to be none. */
function sign(element: Element, name: string, usual: string): string {
  const chosen = child(element, `${element.name}Pr`, name)
  const value = chosen && Object.values(chosen.attributes)[0]
  return chosen ? (value ?? '') : usual
}
