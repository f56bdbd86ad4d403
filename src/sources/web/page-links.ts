// Reads from a page what a crawler needs: its links, its canonical address, and whether it may be indexed.
import { Tokenizer } from 'htmlparser2'

export interface PageHead {
  /** As written, in order, each once; without those that ask not to be followed. */
  links: string[]
  /** Of `<base>`. */
  base: string | null
  canonical: string | null
  /** `meta name=robots` and the one with our own name. */
  robots: string | null
  /** Of an immediate `meta http-equiv=refresh`. */
  refresh: string | null
  /** Scripts that run: a page with hardly any text and some of these is built by them. */
  scripts: number
  /** The page has more links than the limit for one page. */
  cut: boolean
}

const mostLinks = 10_000
const longestPage = 4_000_000

export function readPageHead(html: string, agent: string): PageHead {
  const head: PageHead = {
    links: [],
    base: null,
    canonical: null,
    robots: null,
    refresh: null,
    scripts: 0,
    cut: false,
  }
  const links = new Set<string>()
  eachTag(html.slice(0, longestPage), (name, attributes) => {
    if (name === 'a' || name === 'area') takeLink(head, links, attributes)
    else if (name === 'frame') takeLink(head, links, { href: attributes.src ?? '' })
    else if (name === 'link') takeRelation(head, links, attributes)
    else if (name === 'meta') takeMeta(head, attributes, agent)
    else if (name === 'base') head.base ??= attributes.href?.trim() ?? null
    else if (name === 'script' && !/json/i.test(attributes.type ?? '')) head.scripts++
  })
  head.links = [...links]
  return head
}

type Attributes = Record<string, string>

/**
 * The opening tags with their attributes. A parser would also match closing tags: it keeps a stack of open elements and
 * searches it at every end tag, which takes quadratic time on a page with many unclosed tags.
 */
function eachTag(html: string, onTag: (name: string, attributes: Attributes) => void) {
  let [name, attribute, value] = ['', '', '']
  let attributes: Attributes = {}
  let drawings = 0
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase()
  const isDrawing = (tag: string) => tag === 'svg' || tag === 'math'
  const opened = () => {
    if (isDrawing(name)) drawings++
    onTag(name, attributes)
  }
  const skip = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        name = nameAt(start, end)
        attributes = Object.create(null)
      },
      onattribname(start, end) {
        attribute = nameAt(start, end)
        value = ''
      },
      onattribdata(start, end) {
        value += html.slice(start, end)
      },
      onattribentity(code) {
        value += String.fromCodePoint(code)
      },
      onattribend() {
        attributes[attribute] ??= value
      },
      onopentagend: opened,
      onselfclosingtag() {
        onTag(name, attributes)
      },
      onclosetag(start, end) {
        if (drawings > 0 && isDrawing(nameAt(start, end))) drawings--
      },
      isInForeignContext: () => drawings > 0,
      ...{ oncdata: skip, oncomment: skip, ondeclaration: skip, onend: skip, onprocessinginstruction: skip },
      ...{ ontext: skip, ontextentity: skip },
    },
  )
  tokenizer.write(html)
}

function takeLink(head: PageHead, links: Set<string>, { href, rel }: Attributes) {
  const to = href?.trim() ?? ''
  if (to === '' || to.startsWith('#') || /\bnofollow\b/i.test(rel ?? '')) return
  if (links.size >= mostLinks) head.cut = true
  else links.add(to)
}

function takeRelation(head: PageHead, links: Set<string>, attributes: Attributes) {
  const relations = (attributes.rel ?? '').toLowerCase().split(/\s+/)
  if (relations.includes('canonical')) head.canonical ??= attributes.href?.trim() || null
  if (relations.includes('next') || relations.includes('prev')) takeLink(head, links, attributes)
}

function takeMeta(
  head: PageHead,
  { name, content = '', 'http-equiv': equivalent }: Attributes,
  agent: string,
) {
  const who = name?.trim().toLowerCase()
  if (who === 'robots' || who === agent) head.robots = head.robots ? `${head.robots},${content}` : content
  if (equivalent?.trim().toLowerCase() !== 'refresh') return
  const [, seconds, to] = refreshForm.exec(content.slice(0, 3_000)) ?? []
  if (to !== undefined && Number(seconds) <= 5) head.refresh ??= to.trim()
}

// Digits end where something else begins, so that no two parts of the form can share a row of them.
const refreshForm = /^\s*(\d+)(?:\.[\d.]*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i
