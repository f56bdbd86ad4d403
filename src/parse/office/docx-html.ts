// What mammoth writes, brought into shapes that Markdown has: whole table rows, footnotes by their marks, and what is above
// or below the line.
import type { CheerioAPI } from 'cheerio/slim'
import { load } from 'cheerio/slim'
import { shallow } from '../html-shallow.js'
import { onLine } from '../raised.js'
import { numberLists } from './docx-numbers.js'

export function plainWord(html: string): string {
  const $ = load(shallow(html))
  $('table').each((_, table) => {
    if ($(table).text().trim() === '' && $(table).find('img').length === 0) $(table).remove()
    else wholeRows($, $(table))
  })
  numberLists($)
  // A break of the page alone in its paragraph.
  $('p:has(> br)').each((_, p) => {
    if ($(p).text().trim() === '' && $(p).find('img, input').length === 0) $(p).remove()
  })
  footnotes($)
  bringToLine($)
  $('input').attr('disabled', '')
  return $.html()
}

type Part = ReturnType<CheerioAPI>

/** Every row with all its cells: a cell over several rows is repeated below, one over several columns left empty beside. */
function wholeRows($: CheerioAPI, table: Part) {
  const above: { rows: number; content: string }[] = []
  table.find('> tr, > tbody > tr, > thead > tr').each((_, row) => {
    const cells: string[] = []
    let changed = false
    const takeFromAbove = () => {
      for (let from = above[cells.length]; from && from.rows > 0; from = above[cells.length]) {
        from.rows--
        changed = true
        cells.push(from.content)
      }
    }
    for (const cell of $(row).children('td, th').toArray()) {
      takeFromAbove()
      const [down, across] = [span($(cell), 'rowspan'), span($(cell), 'colspan')]
      const content = $(cell).html() ?? ''
      changed ||= down > 1 || across > 1
      for (let i = 0; i < across; i++) {
        const part = i === 0 ? content : ''
        above[cells.length] = { rows: down - 1, content: part }
        cells.push(part)
      }
    }
    takeFromAbove()
    if (changed) $(row).html(cells.map((content) => `<td>${content}</td>`).join(''))
  })
}

const mostSpan = 200

function span(cell: Part, name: 'rowspan' | 'colspan'): number {
  return Math.min(Math.max(1, Math.trunc(Number(cell.attr(name))) || 1), mostSpan)
}

// The converter escapes brackets, so that the marks travel under signs of their own.
const [openMark, closeMark] = ['\ue000', '\ue001']

function footnotes($: CheerioAPI) {
  $('a[href^="#footnote-ref-"], a[href^="#endnote-ref-"]').remove()
  $('sup > a[href^="#footnote-"], sup > a[href^="#endnote-"]').each((_, link) => {
    const number = $(link).text().replace(/\D/g, '')
    $(link).parent().replaceWith(`${openMark}${number}${closeMark}`)
  })
  $('li[id^="footnote-"], li[id^="endnote-"]').each((i, note) => {
    const first = $(note).children('p').first()
    const target = first.length > 0 ? first : $(note)
    target.prepend(`${openMark}${i + 1}${closeMark}: `)
  })
  const lists = $('ol').has('> li[id^="footnote-"], > li[id^="endnote-"]')
  lists.each((_, list) => {
    const notes = $(list).children('li')
    notes.each((_, note) => {
      $(note).replaceWith($(note).contents())
    })
    $(list).replaceWith($(list).contents())
  })
}

function bringToLine($: CheerioAPI) {
  $('sup, sub').each((_, script) => {
    const text = $(script).text()
    const read = onLine(script.name === 'sup' ? 'raised' : 'lowered', text, textBefore($, $(script)))
    if (read !== text) $(script).text(read)
    $(script).replaceWith($(script).contents())
  })
}

const blocks = 'p, li, td, th, h1, h2, h3, h4, h5, h6, pre, blockquote, body'

/** What stands right before something on its line. */
function textBefore($: CheerioAPI, part: Part): string {
  for (let at = part; at.length > 0 && !at.is(blocks); at = at.parent()) {
    const before = at[0]!.prev
    if (before) return before.type === 'text' ? before.data : $(before).is('br') ? '' : $(before).text()
  }
  return ''
}

export function footnoteMarks(text: string): string {
  return text.replace(/\ue000(\d+)\ue001/g, '[^$1]').replace(/[\ue000\ue001]/g, '')
}
