// llms.txt: a site's own list of the pages that a language model should read.

export const mostLlmsBytes = 2_000_000
const mostLinks = 5_000

/** Destinations of the Markdown links in it, in order. Nothing for a page that only poses as one. */
export function readLlms(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.subarray(0, mostLlmsBytes)).toString('utf8')
  if (/^\uFEFF?\s*</.test(text)) return []
  const found: string[] = []
  for (const line of text.split('\n')) {
    for (const [, to] of line.slice(0, 5_000).matchAll(/\]\(\s*<?([^\s()<>]{1,2000})/g)) {
      found.push(to!)
      if (found.length >= mostLinks) return found
    }
  }
  return found
}
