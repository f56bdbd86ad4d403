// PowerPoint: slides in their order, each under a heading with its number and title, bullets, tables and notes below.

import { onLine } from '../raised.js'
import { type Converted, noText, oneLine, plainLine } from './converted.js'
import { markdownTable, withHeader } from './markdown-table.js'
import {
  coreProperties,
  idOf,
  mainPart,
  type Relation,
  readPart,
  relationsOf,
  requirePart,
} from './package-parts.js'
import { attribute, child, descendants, type Element, elementsOf, textOf } from './xml.js'
import { openZip, type Zip } from './zip.js'

export function convertPptx(bytes: Uint8Array): Converted {
  const zip = openZip(bytes)
  const names = slideNames(zip)
  const slides = names.map((name) => readSlide(zip, name))
  const isEmpty = slides.every(
    ({ title, blocks, notes }) => title === '' && blocks.length === 0 && notes === '',
  )
  const { title, metadata } = coreProperties(zip)
  return {
    text: isEmpty ? '' : slides.map((slide, i) => slideText(slide, i + 1)).join('\n\n'),
    title: (isUntold(title) ? null : title) ?? (slides[0]?.title || null),
    metadata: { ...metadata, slides: slides.length },
    notes: isEmpty ? [noText()] : [],
  }
}

// The program's default title.
function isUntold(title: string | null): boolean {
  return title === null || /^(?:powerpoint[ -]|présentation powerpoint|slide 1$|presentation$)/i.test(title)
}

/** The parts of the slides in the order of the show; a slide that is named but missing is left out. */
function slideNames(zip: Zip): string[] {
  const main = mainPart(zip, 'ppt/presentation.xml')
  const relations = relationsOf(zip, main)
  const list = [...descendants(requirePart(zip, main), 'sldId')]
  const names = list.map((entry) => relations.get(idOf(entry) ?? '')?.target ?? '')
  return names.filter((name) => zip.names.includes(name))
}

interface Slide {
  title: string
  blocks: string[]
  notes: string
}

function readSlide(zip: Zip, name: string): Slide {
  const relations = relationsOf(zip, name)
  const slide: Slide = { title: '', blocks: [], notes: notesOf(zip, relations) }
  const shapes = child(requirePart(zip, name), 'sld', 'cSld', 'spTree')
  if (shapes) readShapes({ zip, relations, slide }, shapes)
  return slide
}

function slideText({ title, blocks, notes }: Slide, number: number): string {
  const heading = title === '' ? `## Slide ${number}` : `## Slide ${number}: ${title}`
  return [heading, ...blocks, ...(notes === '' ? [] : [`Notes: ${notes}`])].join('\n\n')
}

interface Reading {
  zip: Zip
  relations: Map<string, Relation>
  slide: Slide
}

function readShapes(reading: Reading, tree: Element) {
  const { slide } = reading
  for (const shape of elementsOf(tree)) {
    if (shape.name === 'sp') readShape(slide, shape)
    else if (shape.name === 'grpSp') readShapes(reading, shape)
    else if (shape.name === 'graphicFrame') slide.blocks.push(...frameBlocks(reading, shape))
    else if (shape.name === 'pic') slide.blocks.push(...pictureBlock(shape))
    else if (shape.name === 'AlternateContent') readShapes(reading, child(shape, 'Choice') ?? shape)
  }
}

const titles = new Set(['title', 'ctrTitle'])
/** Every slide repeats date, footer and number. */
const furniture = new Set(['dt', 'ftr', 'sldNum', 'hdr'])

function readShape(slide: Slide, shape: Element) {
  const place = child(shape, 'nvSpPr', 'nvPr', 'ph')
  const type = place?.attributes.type ?? ''
  if (furniture.has(type)) return
  const body = child(shape, 'txBody')
  if (!body) return
  if (titles.has(type) && slide.title === '') {
    slide.title = oneLine(
      paragraphs(body)
        .map(({ text }) => text)
        .join(' '),
    )
    return
  }
  const isList = place !== undefined && type !== 'subTitle'
  const block = isList ? bullets(paragraphs(body)) : prose(paragraphs(body))
  if (block !== '') slide.blocks.push(block)
}

interface Paragraph {
  text: string
  level: number
  isPlain: boolean
  isNumbered: boolean
}

function paragraphs(body: Element): Paragraph[] {
  return [...descendants(body, 'p')]
    .map((p) => ({
      text: runs(p).replace(/\s+/g, ' ').trim(),
      level: Math.min(Number(child(p, 'pPr')?.attributes.lvl) || 0, 8),
      isPlain: child(p, 'pPr', 'buNone') !== undefined,
      isNumbered: child(p, 'pPr', 'buAutoNum') !== undefined,
    }))
    .filter(({ text }) => text !== '')
}

function runs(paragraph: Element): string {
  const pieces: { text: string; height: number }[] = []
  for (const run of elementsOf(paragraph)) {
    const height = Math.sign(Number.parseFloat(child(run, 'rPr')?.attributes.baseline ?? '')) || 0
    const last = pieces.at(-1)
    if (last?.height === height) last.text += runText(run)
    else pieces.push({ text: runText(run), height })
  }
  return pieces.reduce(
    (line, { text, height }) =>
      line + (height === 0 ? text : onLine(height > 0 ? 'raised' : 'lowered', text, line)),
    '',
  )
}

function runText(run: Element): string {
  if (run.name === 'br') return ' '
  return run.name === 'r' || run.name === 'fld' ? textOf(child(run, 't')) : mathOf(run)
}

function mathOf(run: Element): string {
  return run.name === 'm' || run.name === 'AlternateContent' ? textOf(child(run, 'Choice') ?? run) : ''
}

function prose(all: Paragraph[]): string {
  return all.map(({ text }) => plainLine(text)).join('\n\n')
}

function bullets(all: Paragraph[]): string {
  if (all.every(({ isPlain }) => isPlain)) return prose(all)
  const lines: string[] = []
  const above: { indent: number; count: number }[] = []
  for (const { text, level, isNumbered } of all) {
    // Deeper by more than one, it would be code.
    const at = Math.min(level, above.length)
    const count = isNumbered ? (above[at]?.count ?? 0) + 1 : 0
    const mark = isNumbered ? `${count}. ` : '- '
    const indent = at === 0 ? 0 : above[at - 1]!.indent
    above.splice(at, Infinity, { indent: indent + mark.length, count })
    lines.push(`${' '.repeat(indent)}${mark}${text}`)
  }
  return lines.join('\n')
}

/** A table, or a diagram whose words are in a separate part. */
function frameBlocks({ zip, relations }: Reading, frame: Element): string[] {
  const tables = [...descendants(frame, 'tbl')].map((table) => markdownTable(withHeader(tableRows(table))))
  const diagrams = [...descendants(frame, 'relIds')].flatMap((ids) => {
    const target = relations.get(attribute(ids, 'dm') ?? '')?.target
    const tree = target ? readPart(zip, target) : null
    const words = tree ? [...descendants(tree, 'pt')].flatMap(paragraphs) : []
    return words.length > 0 ? [words.map(({ text }) => `- ${text}`).join('\n')] : []
  })
  return [...tables, ...diagrams].filter((block) => block !== '')
}

/** A cell that spans rows is repeated below; the cells beside one that spans columns are empty already. */
function tableRows(table: Element): string[][] {
  const rows: string[][] = []
  for (const row of elementsOf(table).filter(({ name }) => name === 'tr')) {
    const cells = elementsOf(row).filter(({ name }) => name === 'tc')
    rows.push(cells.map((cell, i) => (isMerged(cell) && rows.at(-1)?.[i]) || cellText(cell)))
  }
  return rows
}

function isMerged({ attributes }: Element): boolean {
  return attributes.vMerge === '1' || attributes.vMerge === 'true'
}

function cellText(cell: Element): string {
  return paragraphs(cell)
    .map(({ text }) => text)
    .join(' ')
}

/** A picture by its description, unless that is just the name of a file. */
function pictureBlock(picture: Element): string[] {
  const words = oneLine(child(picture, 'nvPicPr', 'cNvPr')?.attributes.descr ?? '')
  return words === '' || /^[\w .-]+\.(?:png|jpe?g|gif|emf|wmf|svg|bmp|tiff?)$/i.test(words)
    ? []
    : [`![${words.replace(/[[\]]/g, '')}]()`]
}

function notesOf(zip: Zip, relations: Map<string, Relation>): string {
  const name = [...relations.values()].find(({ type }) => type === 'notesSlide')?.target
  const tree = name ? readPart(zip, name) : null
  const shapes = tree ? [...descendants(tree, 'sp')] : []
  const body = shapes.find((shape) => child(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes.type === 'body')
  const text = child(body, 'txBody')
  return text ? prose(paragraphs(text)) : ''
}
