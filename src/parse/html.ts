// Pages, trusted or not: cleaned, converted to Markdown, and read as that.
import { htmlToMarkdown } from '@mdream/js'
import { load } from 'cheerio/slim'
import type { Parsed } from '../model/document.js'
import type { Note } from '../model/problem.js'
import { withoutControls } from '../text/one-line.js'
import { cleanHtml } from './html-clean.js'
import { shallow } from './html-shallow.js'
import { attribute, type Element, find, textOf } from './html-tree.js'
import { parsePageText } from './page-text.js'

/** The Markdown of a page, and its metadata. Depth and size are limited here; the caller limits the time. */
export function parseHtml(html: string): Parsed {
  const root = load(shallow(html.slice(0, longest))).root()[0] as unknown as Element
  const parsed = parsePageText(converted(cleanHtml(root)))
  const about = aboutPage(root)
  return {
    ...parsed,
    title: titleOf(about, parsed),
    metadata: metadataOf(about),
    notes: html.length > longest ? [cut(html.length)] : [],
  }
}

const longest = 4_000_000

// Without the converter's own clean-up: it takes the square of the length on a row of brackets.
function converted(clean: string): string {
  return htmlToMarkdown(guarded(clean)).replaceAll(guard, '_').trim()
}

// A Unicode noncharacter: it occurs in no text.
const guard = '\ufdd0'

/** Names keep their underscores: within a word they mean nothing in Markdown, but the converter would escape them. */
function guarded(clean: string): string {
  const isWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)
  return clean.replaceAll(guard, '').replace(/_+/g, (marks, at: number, all: string) => {
    const after = at + marks.length
    const next = all.startsWith('<wbr>', after) ? after + '<wbr>'.length : after
    return isWord(all[at - 1]) && isWord(all[next]) ? guard.repeat(marks.length) : marks
  })
}

function cut(length: number): Note {
  return { code: 'cut', message: `The page has ${length} characters; only the first ${longest} were read.` }
}

/** The metadata of a page by name: `<title>`, `<h1>`, names and properties of `meta`. The first of each counts. */
function aboutPage(root: Element): Map<string, string> {
  const about = new Map<string, string>()
  const say = (name: string, value: string) => {
    const text = withoutControls(value).replace(/\s+/g, ' ').trim().slice(0, 1000)
    if (text !== '' && !about.has(name)) about.set(name, text)
  }
  find(root, (element) => {
    const { name } = element
    if (name === 'title' || name === 'h1')
      say(`<${name === 'h1' ? headingKind(element) : name}>`, textOf(element))
    if (name === 'html') say('language', attribute(element, 'lang'))
    if (name === 'time') say('time', attribute(element, 'datetime'))
    if (name === 'link' && attribute(element, 'rel') === 'canonical')
      say('canonical', attribute(element, 'href'))
    const key = name === 'meta' ? attribute(element, 'name') || attribute(element, 'property') : ''
    if (key) say(key.toLowerCase(), attribute(element, 'content'))
    return false
  })
  return about
}

/** The first heading of a page is its title, or the name of its site: in its header, and a link to its home. */
function headingKind(heading: Element): 'h1' | 'banner' | 'logo' {
  const words = textOf(heading).trim()
  const link = find(heading, ({ name }) => name === 'a')[0]
  const leadsHome = link && textOf(link).trim() === words && !attribute(link, 'href').startsWith('#')
  for (let at: Element | null | undefined = heading; at; at = at.parent) {
    if (at.name === 'main' || at.name === 'article') return 'h1'
    if (at.name === 'header' || attribute(at, 'role') === 'banner') return leadsHome ? 'logo' : 'banner'
  }
  return 'h1'
}

/** The page's title without the site's name, when a heading shows where one ends and the other begins. */
function titleOf(about: Map<string, string>, { title: first, sections }: Parsed): string | null {
  const title = about.get('<title>') ?? about.get('og:title') ?? ''
  const heading = (about.get('<h1>') ?? about.get('<banner>') ?? '').replace(/(?<!\s)\s*[¶#§\u200b]$/, '')
  const isHere = (page: string) => sections.some(({ text }) => text.toLowerCase() === page.toLowerCase())
  const page = behind(title, about.get('<logo>') ?? about.get('<banner>') ?? '')
  if (page && isHere(page)) return page
  const rest = behind(title, heading)
  if (rest === null) return title || heading || first
  // Without a heading in the text, the site's name is not used as the page's title.
  return rest !== '' && isHere(rest) && !isHere(heading) ? rest : heading
}

/** The rest of a title after a name and a separator; null if it does not begin so. */
function behind(title: string, name: string): string | null {
  if (name === '' || !title.toLowerCase().startsWith(name.toLowerCase())) return null
  return /^\s*[|–—·:»«•/-]+\s*(.*)$/s.exec(title.slice(name.length))?.[1] ?? null
}

function metadataOf(about: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([field, names]) => {
      const name = names.find((name) => about.has(name))
      return name ? [[field, about.get(name)]] : []
    }),
  )
}

const metadata = {
  description: ['description', 'og:description', 'twitter:description'],
  author: ['author', 'article:author', 'dc.creator'],
  date: ['article:published_time', 'date', 'dc.date', 'last-modified', 'time'],
  keywords: ['keywords'],
  language: ['language'],
  canonical: ['canonical'],
}
