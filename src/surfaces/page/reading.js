// One document at the requested lines, with its outline beside it.
import { button, element, notice, part } from './elements.js'
import { headingsAt, lastLine, opened } from './reaching.js'
import { isProse, linesOf, linked, wordsOf } from './text.js'

let running = new AbortController()

export function stopReading() {
  running.abort()
}

/** @param {Place} place @param {Address} at @param {() => void} close @param {(error: Error) => void} fail */
export async function read(place, at, close, fail) {
  stopReading()
  running = new AbortController()
  const { signal } = running
  const { lines } = place
  const { reach, nextOf } = opened(at, signal)
  let { stretch, outline } = await reach(lines?.[0] ?? 1)
  const sheet = newSheet(place, isProse(at.document), outline)
  const again = (/** @type {Place['lines']} */ there) =>
    read({ ...place, lines: there }, at, close, fail).catch(fail)
  const more = button('', async () => {
    more.disabled = true
    try {
      stretch = await nextOf(stretch)
      show()
    } catch (error) {
      if (!signal.aborted) more.replaceWith(notice(error))
    }
  })
  const show = () => {
    sheet.add(stretch)
    more.disabled = false
    more.hidden = !stretch.next
    more.textContent = `Continue after line ${lastLine(stretch)}`
  }
  const title = element('h2', { tabindex: -1 }, stretch.title)
  const where = `${at.collection}:${at.document}${lines ? `:${lines.join('-')}` : ''}`
  const under = headingsAt(outline, lines?.[0] ?? 0).filter((text) => text !== stretch.title)
  part('reading').replaceChildren(
    element(
      'header',
      {},
      back(close),
      title,
      element('p', { class: 'quiet' }, [where, ...under].join(' › ')),
    ),
    element('p', { class: 'quiet' }, stretch.note),
    element(
      'div',
      { class: 'side' },
      outlineBox(outline, (line) => sheet.goTo(line) || again([line, line])),
    ),
    element(
      'div',
      { class: 'sheet' },
      stretch.startLine > 1 && button('From the beginning', () => again(null)),
      sheet.list,
      more,
    ),
  )
  show()
  // A passage may go on in the next section.
  for (let i = 0; i < 3 && stretch.next && lastLine(stretch) < (lines?.[1] ?? 0); i++) {
    stretch = await nextOf(stretch)
    show()
  }
  title.focus({ preventScroll: true })
  sheet.goTo(lines?.[0] ?? 1)
}

/** @param {unknown} error @param {() => void} close */
export function showUnread(error, close) {
  part('reading').replaceChildren(element('header', {}, back(close)), notice(error))
}

/** @param {() => void} close */
function back(close) {
  return button('← Back', close, 'back')
}

const mostHeadings = 300

/** @param {Heading[]} outline @param {(line: number) => void} jump */
function outlineBox(outline, jump) {
  const most = outline.length > mostHeadings ? 2 : 6
  const shown = outline.filter(({ level }) => level <= most).slice(0, mostHeadings)
  const items = shown.map(({ level, text, line }) =>
    element(
      'li',
      { class: level > 2 && 'deep' },
      button(text, () => jump(line), 'plain'),
    ),
  )
  const box = element('details', {}, element('summary', {}, 'Outline'), element('ul', {}, ...items))
  box.open = window.matchMedia('(min-width: 70rem)').matches
  return outline.length > 1 && box
}

/** The lines of a document, with their numbers. @param {Place} place @param {boolean} isText @param {Heading[]} outline */
function newSheet({ q, lines }, isText, outline) {
  const [first, last] = lines ?? [0, 0]
  const [words, none] = [wordsOf(q), wordsOf('')]
  const titles = new Set(outline.map(({ line }) => line))
  /** @type {Map<number, HTMLElement>} */
  const shown = new Map()
  const list = element('div', { class: 'lines' })
  let isFenced = false

  const kindOf = (/** @type {string} */ text, /** @type {number} */ number) => {
    const isFence = /^\s*(```|~~~)/.test(text)
    if (isFence) isFenced = !isFenced
    if (isFence || isFenced || !isText || /^\s*\|/.test(text)) return 'mono'
    return titles.has(number) ? 'title' : ''
  }

  return {
    list,
    /** A part may begin within the line that the one before ended in. @param {Stretch} stretch */
    add({ text, startLine }) {
      for (const [i, content] of linesOf(text).entries()) {
        const number = startLine + i
        const isHere = number >= first && number <= last
        const kind = kindOf(content, number) + (isHere ? ' here' : '')
        const line = shown.get(number) ?? element('div', { class: kind, 'data-line': number })
        line.append(...linked(content, isHere ? words : none))
        shown.set(number, line)
        list.append(line)
      }
    },
    /** @param {number} number */
    goTo(number) {
      shown.get(number)?.scrollIntoView()
      return shown.has(number)
    },
  }
}
