// What a page says to a crawler: where it leads, what its own address is, and whether it may be kept.
import { Parser } from 'htmlparser2'

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
  /** There were more links than are taken from one page. */
  cut: boolean
}

export const mostLinks = 10_000
const longestPage = 4_000_000
const step = 262_144

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
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'a' || name === 'area') takeLink(head, links, attributes)
      else if (name === 'frame') takeLink(head, links, { href: attributes.src ?? '' })
      else if (name === 'link') takeRelation(head, links, attributes)
      else if (name === 'meta') takeMeta(head, attributes, agent)
      else if (name === 'base') head.base ??= attributes.href?.trim() ?? null
      else if (name === 'script' && !/json/i.test(attributes.type ?? '')) head.scripts++
    },
  })
  for (let at = 0; at < Math.min(html.length, longestPage); at += step)
    parser.write(html.slice(at, at + step))
  head.links = [...links]
  return head
}

type Attributes = Record<string, string>

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
  const [, seconds, to] =
    /^\s*(\d+)[\d.]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content.slice(0, 3_000)) ?? []
  if (to !== undefined && Number(seconds) <= 5) head.refresh ??= to.trim()
}
