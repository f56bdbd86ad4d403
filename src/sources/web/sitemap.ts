// Sitemaps: lists of a site's pages, or of further lists. Read in small steps, since fifty thousand entries are normal.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import type { Parser } from 'htmlparser2'

export interface Sitemap {
  pages: string[]
  /** Further sitemaps, of an index. */
  sitemaps: string[]
  /** The file has more addresses than the limit for one file. */
  cut: boolean
}

/** The protocol's own limits for one file. */
export const mostSitemapBytes = 50_000_000
const mostEntries = 50_000

/** Reads the XML form, gzipped or not, and the plain one with one address a line. A broken file is read up to the fault. */
export async function readSitemap(bytes: Uint8Array, signal?: AbortSignal): Promise<Sitemap> {
  const found: Sitemap = { pages: [], sitemaps: [], cut: false }
  const parser = await entryParser(found)
  const lines = lineReader(found)
  let isXml: boolean | null = null
  for await (const part of textOf(bytes, found)) {
    signal?.throwIfAborted()
    isXml ??= part === '' ? null : /^\uFEFF?\s*</.test(part)
    if (isXml) parser.write(part)
    else lines.write(part)
    if (found.cut) break
    await nextTurn()
  }
  if (isXml === false && !found.cut) lines.end()
  return found
}

// The parser and its tables of entities are loaded with the first sitemap, not with every server.
async function entryParser(found: Sitemap): Promise<Parser> {
  const { Parser } = await import('htmlparser2')
  let entry: 'url' | 'sitemap' | null = null
  let location: string | null = null
  return new Parser(
    {
      onopentagname(name) {
        const plain = name.slice(name.indexOf(':') + 1)
        if (plain === 'url' || plain === 'sitemap') entry = plain
        else if (plain === 'loc' && entry !== null && !name.startsWith('image') && !name.startsWith('video'))
          location = ''
      },
      ontext(text) {
        if (location !== null && location.length < 3_000) location += text
      },
      onclosetag(name) {
        const plain = name.slice(name.indexOf(':') + 1)
        if (plain === 'loc' && location !== null) {
          take(found, entry === 'sitemap' ? 'sitemaps' : 'pages', location)
          location = null
        } else if (plain === 'url' || plain === 'sitemap') entry = null
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
}

function lineReader(found: Sitemap) {
  let rest = ''
  return {
    write(part: string) {
      const lines = (rest + part).split(/\r?\n/)
      rest = lines.pop()!.slice(0, 3_000)
      for (const line of lines) if (/^https?:/i.test(line.trim())) take(found, 'pages', line)
    },
    end() {
      if (/^https?:/i.test(rest.trim())) take(found, 'pages', rest)
    },
  }
}

function take(found: Sitemap, list: 'pages' | 'sitemaps', location: string) {
  if (found.pages.length + found.sitemaps.length >= mostEntries) found.cut = true
  else if (location.trim() !== '') found[list].push(location.trim())
}

const step = 65_536

async function* textOf(bytes: Uint8Array, found: Sitemap): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b
  let size = 0
  for await (const part of packed ? unpacked(bytes) : steps(bytes)) {
    size += part.length
    if (size > mostSitemapBytes) {
      found.cut = true
      return
    }
    yield decoder.decode(part, { stream: true })
  }
}

function* steps(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
}

async function* unpacked(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const engine = createGunzip({ chunkSize: step })
  engine.end(bytes)
  try {
    for await (const part of engine) yield part as Uint8Array
  } catch {
    // The file is broken or cut short. The addresses before that point were passed on.
  } finally {
    engine.destroy()
  }
}

// llms.txt: a site's own list of the pages that a language model should read.

export const mostLlmsBytes = 2_000_000
export const mostLlmsLinks = 5_000

/**
 * Destinations of the Markdown links in it, in order, and whether there were more. Nothing for a page that only poses as
 * one.
 */
export function readLlms(bytes: Uint8Array): { links: string[]; cut: boolean } {
  const text = Buffer.from(bytes.subarray(0, mostLlmsBytes)).toString('utf8')
  const links: string[] = []
  if (/^\uFEFF?\s*</.test(text)) return { links, cut: false }
  for (const [, to] of text.matchAll(/\]\([^\S\n]*<?([^\s()<>]{1,2000})/g)) {
    if (links.length >= mostLlmsLinks) return { links, cut: true }
    links.push(to!)
  }
  return { links, cut: bytes.length > mostLlmsBytes }
}
