// llms.txt: a site's own list of the pages that a language model should read.

export const mostLlmsBytes = 2_000_000
export const mostLlmsLinks = 5_000

/** Destinations of the Markdown links in it, in order, and whether there were more. Nothing for a page that only poses as one. */
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
