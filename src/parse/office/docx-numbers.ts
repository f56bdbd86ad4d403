// The numbers of Word's lists. Mammoth counts adjacent items only; in Word, a list can continue after a paragraph or restart,
// as a separate part of the file says. A marker carries each number through mammoth to its item.
import type { Element as PageElement } from '../html-tree.js'
import { mainPart, readPart, relatedPart } from './package-parts.js'
import { attribute, child, descendants, type Element, elementsOf } from './xml.js'
import type { Zip } from './zip.js'

const [openMark, closeMark] = ['\ue002', '\ue003']

/** The text of the main part with a mark in every item of a list that is counted. */
export function withNumbers(zip: Zip, xml: string): string {
  const part = readPart(
    zip,
    relatedPart(zip, mainPart(zip, 'word/document.xml'), 'numbering', 'word/numbering.xml'),
  )
  const lists = part ? listsOf(part) : null
  if (!lists) return xml
  const pieces: string[] = []
  const [nextText, nextEnd] = [seeker(xml, '<w:t'), seeker(xml, '</w:p>')]
  let from = 0
  for (let at = xml.indexOf(opening); at >= 0; at = xml.indexOf(opening, from)) {
    const end = propertiesEnd(xml, at)
    if (end < 0) break
    const number = countItem(lists, xml.slice(at, end))
    pieces.push(xml.slice(from, end))
    // An empty paragraph counts, and mammoth leaves it out.
    if (number !== null && nextText(end) < nextEnd(end))
      pieces.push(`<w:r><w:t>${openMark}${number}${closeMark}</w:t></w:r>`)
    from = end
  }
  return pieces.join('') + xml.slice(from)
}

/** Finds the next occurrence of a sign. With rising offsets it scans the text once. */
function seeker(xml: string, sign: string): (from: number) => number {
  let at = -1
  return (from) => {
    if (at < from) at = xml.indexOf(sign, from)
    if (at < 0) at = Number.POSITIVE_INFINITY
    return at
  }
}

const [opening, closing] = ['<w:pPr>', '</w:pPr>']
const [change, changed] = ['<w:pPrChange', '</w:pPrChange>']

/** The offset after a paragraph's properties, which may contain the previous ones of a tracked change. */
function propertiesEnd(xml: string, at: number): number {
  const end = xml.indexOf(closing, at)
  if (end < 0 || !xml.slice(at, end).includes(change)) return end < 0 ? end : end + closing.length
  const over = xml.indexOf(changed, end)
  const last = over < 0 ? -1 : xml.indexOf(closing, over)
  return last < 0 ? last : last + closing.length
}

// --- Counting.

interface Level {
  start: number
  isCounted: boolean
}

interface List {
  levels: Level[]
  /** The last number at each level; none where counting restarts. */
  counts: (number | undefined)[]
}

interface Numbered {
  list: List
  /** By level, where this one begins when it is first met. */
  starts: Map<number, number>
  isMet: boolean
}

/** By the number that paragraphs name. */
type Lists = ReadonlyMap<string, Numbered>

function listsOf(part: Element): Lists {
  const lists = new Map(
    [...descendants(part, 'abstractNum')].map((list) => [attribute(list, 'abstractNumId'), listOf(list)]),
  )
  const byNumber = new Map<string, Numbered>()
  for (const num of descendants(part, 'num')) {
    const list = lists.get(valIn(num, 'abstractNumId'))
    if (list) byNumber.set(attribute(num, 'numId') ?? '', { list, starts: startsOf(num), isMet: false })
  }
  return byNumber
}

const deepest = 9

function listOf(list: Element): List {
  const levels: Level[] = []
  for (const level of elementsOf(list).filter(({ name }) => name === 'lvl')) {
    const kind = valIn(level, 'numFmt')
    const at = Number(attribute(level, 'ilvl') ?? 0)
    const isCounted = kind !== 'bullet' && kind !== 'none'
    if (at < deepest) levels[at] = { start: Number(valIn(level, 'start') ?? 1), isCounted }
  }
  return { levels, counts: [] }
}

function startsOf(num: Element): Map<number, number> {
  const overrides = elementsOf(num).filter((inner) => child(inner, 'startOverride'))
  return new Map(
    overrides.map((level) => [Number(attribute(level, 'ilvl')), Number(valIn(level, 'startOverride'))]),
  )
}

function valIn(element: Element, name: string): string | undefined {
  const inner = child(element, name)
  return inner && attribute(inner, 'val')
}

/** The number of the paragraph with these properties; null when it has none. */
function countItem(lists: Lists, properties: string): number | null {
  const own = properties.split(change, 1)[0]!
  const numbered = lists.get(/<w:numId w:val="(\d+)"/.exec(own)?.[1] ?? '')
  const at = Number(/<w:ilvl w:val="(\d)"/.exec(own)?.[1] ?? 0)
  const level = numbered?.list.levels[at]
  if (!numbered || !level) return null
  const { list, starts } = numbered
  if (!numbered.isMet) for (const start of starts.keys()) list.counts[start] = undefined
  numbered.isMet = true
  const before = list.counts[at]
  const number = before === undefined ? (starts.get(at) ?? level.start) : before + 1
  list.counts = [...list.counts.slice(0, at), number]
  return level.isCounted ? number : null
}

// --- Behind mammoth.

/** A list as several, each beginning where Word says: a new one where a number does not follow. */
export function numberedLists(list: PageElement): PageElement[] {
  const isItem = (node: PageElement['children'][number]) => (node as PageElement).name === 'li'
  const [items, others] = [list.children.filter(isItem), list.children.filter((node) => !isItem(node))]
  const parts = [list]
  let children = others
  let next: number | null = null
  for (const item of items) {
    const number = takeMark((item as PageElement).children[0])
    if (number !== null && number !== (next ?? 1)) {
      if (next !== null) {
        parts.at(-1)!.children = children
        children = []
        parts.push({ type: 'tag', name: 'ol', attribs: {}, children })
      }
      parts.at(-1)!.attribs.start = String(number)
    }
    children.push(item)
    next = (number ?? next ?? 1) + 1
  }
  parts.at(-1)!.children = children
  return parts
}

const mark = new RegExp(`^${openMark}(\\d+)${closeMark}`)

function takeMark(node: { type: string; data?: string } | undefined): number | null {
  const found = node?.type === 'text' ? mark.exec(node.data ?? '') : null
  if (!found) return null
  node!.data = node!.data!.slice(found[0].length)
  return Number(found[1])
}

/** Without those of what became no item of a list, as headings. */
export function withoutMarks(text: string): string {
  return text.replace(/\ue002\d+\ue003/g, '')
}
