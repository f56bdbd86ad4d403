// Word has more wrappers around words than mammoth knows, and mammoth leaves out what is in one that it does not know:
// fields, equations, text that runs the other way, text boxes. Here they become what it does know.
import { escaped } from '../html-tree.js'
import { damaged } from './converted.js'
import { formulaText } from './docx-formula.js'
import { localName, xmlTree } from './xml.js'

/** A part of a Word file, all its words within reach. In one pass; the text of everything else stays as it was written. */
export function withAllWords(xml: string): string {
  const open = [opened('', '', null)]
  const top = () => open[open.length - 1]!
  let from = 0
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const tag = tagAt(xml, at)
    at = tag.end
    if (tag.name === 't') top().says = true
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
    // Whoever reads it next says what is wrong with it.
    if (top().name !== tag.name) return xml
    const frame = open.pop()!
    closings[tag.name]!(frame, top(), written)
  }
  return open.length === 1 ? top().text + xml.slice(from) : xml
}

const deepest = 100

/** What is around words and says nothing itself. The reading above a word, `rt`, is left to be left out. */
const wrappers = new Set('fldSimple bdo dir ruby rubyBase oval arc curve line polyline'.split(' '))

/** Signs between words that mammoth does not know, by those that it does. */
const alike = new Map([
  ['cr', 'br'],
  ['ptab', 'tab'],
])

interface Frame {
  name: string
  tag: string
  text: string
  /** The text boxes of a drawing, of which mammoth looks for pictures only. */
  boxes: string
  inDrawing: boolean
  says: boolean
  choices: Frame[]
  fallback: Frame | null
}

function opened(name: string, tag: string, parent: Frame | null): Frame {
  const inDrawing = name === 'drawing' || (name !== 'txbxContent' && (parent?.inDrawing ?? false))
  return { name, tag, text: '', boxes: '', inDrawing, says: false, choices: [], fallback: null }
}

const closings: Readonly<Record<string, (frame: Frame, parent: Frame, end: string) => void>> = {
  txbxContent(frame, parent, end) {
    parent[parent.inDrawing ? 'boxes' : 'text'] += frame.tag + frame.text + end
    parent.says ||= frame.says
  },
  drawing(frame, parent, end) {
    parent.text += frame.tag + frame.text + end
    if (frame.boxes !== '') parent.text += `<w:pict ${names}>${frame.boxes}</w:pict>`
    parent.says ||= frame.says
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
    const chosen = all.find(({ says }) => says) ?? all[0]
    if (!chosen) return
    parent.text += chosen.text
    parent.boxes += chosen.boxes
    parent.says ||= chosen.says
  },
  oMathPara(frame, parent) {
    parent.text += frame.text
    parent.says ||= frame.says
  },
  oMath(frame, parent, end) {
    const formula = escaped(formulaText(xmlTree(frame.tag + frame.text + end)).trim())
    const line = parent.name === 'oMathPara' && parent.says ? '<w:br/>' : ''
    parent.text += `<w:r ${names}>${line}<w:t xml:space="preserve">${formula}</w:t></w:r>`
    parent.says = true
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
