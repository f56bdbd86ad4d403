// Texts made fit to send, and put together into requests.

export interface BatchLimits {
  texts: number
  characters: number
}

// Thirty-two answers of the longest usual vectors are about 2 MB of JSON: parsed in some 15 ms, within what the event
// loop can bear.
const usual: BatchLimits = { texts: 32, characters: 60_000 }

// Near what the largest common models read (8,192 tokens). Chunks are far shorter.
const longestText = 30_000

/**
 * A text without anything to read is sent as a full stop, since services refuse empty input. Half characters, which
 * cannot be encoded, are replaced.
 */
export function prepared(text: string): string {
  const cut = text.slice(0, longestText).replace(/\p{Cs}/gu, '\uFFFD')
  return /[^\s\p{C}]/u.test(cut) ? cut : '.'
}

export function batchesOf(texts: readonly string[], limits: Partial<BatchLimits> = {}): string[][] {
  const { texts: most, characters } = { ...usual, ...limits }
  const batches: string[][] = []
  let size = 0
  for (const text of texts) {
    const last = batches.at(-1)
    if (last && last.length < most && size + text.length <= characters) {
      last.push(text)
      size += text.length
    } else {
      batches.push([text])
      size = text.length
    }
  }
  return batches
}
