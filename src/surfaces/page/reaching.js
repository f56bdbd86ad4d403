// Finds a line of a document. A long document comes in parts; only the parts that are needed are requested.
import { tool } from './api.js'
import { endsLine, linesOf } from './text.js'

const [smallPart, largePart] = [6_000, 16_000]
const mostWalked = 60
// The tool's sentences about cursors are for programs; the page has a button instead.
const cursors = /(Lines [-\d]+ of|The section goes on).*?nextCursor(, or .*?)?\./s

/** @param {Address} at @param {AbortSignal} signal */
export function opened(at, signal) {
  /** @type {Heading[]} */
  let outline = []

  /** The part that has the line: the first, else the section around it, else what is met on the way from the start.
   * @param {number} line */
  async function reach(line) {
    const outlined = tool('documents_get_outline', { ...at, maxDepth: 6 }, signal)
    const [first, answer] = await Promise.all([partOf({}), outlined])
    outline = answer.outline
    if (!first.next || has(first, line)) return { outline, stretch: first }
    const section = headingsAt(outline, line).join(' / ')
    const found = section ? await walk(await partOf({ section }), line) : first
    // Of several sections by one name the server may have chosen another.
    const stretch = has(found, line) ? found : await walk(first, line)
    return { outline, stretch: { ...stretch, title: first.title } }
  }

  /** @param {Stretch} from @param {number} line */
  async function walk(from, line) {
    let here = from
    for (let i = 0; i < mostWalked && here.next && line > lastLine(here); i++)
      here = await nextOf(here, largePart)
    return here
  }

  /** @param {Stretch} before */
  function nextOf({ next, ...before }, tokens = smallPart) {
    return partOf(next ?? {}, tokens, lastLine(before) + (endsLine(before.text) ? 1 : 0))
  }

  /** @param {Next} wanted @returns {Promise<Stretch>} */
  async function partOf(wanted, max_tokens = smallPart, from = 1) {
    const name = wanted.section ? 'documents_get_section' : 'documents_get_document'
    /** @type {Part} */
    const part = await tool(name, { ...at, ...wanted, max_tokens }, signal)
    const { title = at.document, content: text, startLine = from, nextCursor: cursor, note = '' } = part
    if (startLine < from) return { title, text: '', startLine: from, note }
    const next = cursor ? { ...wanted, cursor } : wanted.section && after(lastLine({ text, startLine }))
    return { title, text, startLine, next: next || undefined, note: note.replace(cursors, '') }
  }

  /** Where a section ends, the next one follows. @param {number} line @returns {Next | undefined} */
  function after(line) {
    const heading = outline.find((one) => one.line > line)
    return heading && { section: headingsAt(outline, heading.line).join(' / ') }
  }

  return { reach, nextOf }
}

/** @param {{ text: string, startLine: number }} stretch */
export function lastLine({ text, startLine }) {
  return startLine + linesOf(text).length - 1
}

/** @param {Stretch} stretch @param {number} line */
function has(stretch, line) {
  return stretch.startLine <= line && line <= lastLine(stretch)
}

/** Those that a line stands under, from the top. @param {Heading[]} outline @param {number} line */
export function headingsAt(outline, line) {
  /** @type {Heading[]} */
  const path = []
  for (const heading of outline.filter((one) => one.line <= line)) {
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop()
    path.push(heading)
  }
  return path.map(({ text }) => text)
}
