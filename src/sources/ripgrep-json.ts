// Reads the matches from the output of `rg --json` as a stream. A message contains the whole matching line, which may
// be megabytes, and the positions of the matches come only after it. So no message is stored or parsed as a whole. Its
// parts end with marks that cannot occur inside a text, because quotes there are escaped.

/** The start of a match. */
export interface Place {
  /** The path as ripgrep prints it, with U+FFFD for invalid UTF-8. */
  path: string
  /** From 1. */
  line: number
  /** Offset in bytes from the start of the file, which is read as UTF-8. */
  offset: number
}

/**
 * Matches in the order printed, including empty ones. If the consumer stops, the stream stops. Patterns must match
 * within lines.
 */
export async function* matchesIn(stream: AsyncIterable<Buffer>): AsyncGenerator<Place> {
  const message: Message = { next: 'type', path: '', line: 0, start: 0 }
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of stream)
    held = yield* advance(message, held.length === 0 ? chunk : Buffer.concat([held, chunk]))
}

interface Message {
  next: Part
  path: string
  line: number
  /** The line's offset in bytes from the start of the file. */
  start: number
}

type Part = 'type' | 'path' | 'text' | 'numbers' | 'match' | 'place' | 'rest'

/** The mark that ends a part, and whether the (few) bytes before it are needed or skipped. */
const parts: Record<Part, { mark: Buffer; wanted: boolean }> = {
  type: { mark: Buffer.from(','), wanted: true },
  path: { mark: Buffer.from('\n'), wanted: true },
  text: { mark: Buffer.from('},"line_number":'), wanted: false },
  numbers: { mark: Buffer.from(',"submatches":['), wanted: true },
  match: { mark: Buffer.from('},"start":'), wanted: false },
  place: { mark: Buffer.from('}'), wanted: true },
  rest: { mark: Buffer.from('\n'), wanted: false },
}

/** Returns the bytes to put before the next ones: an unfinished part, or the possible start of its mark. */
function* advance(message: Message, bytes: Buffer): Generator<Place, Buffer> {
  let at = 0
  for (;;) {
    const { mark, wanted } = parts[message.next]
    const end = bytes.indexOf(mark, at)
    const behind = end + mark.length
    // The meaning of a part may depend on the byte after its mark.
    if (end < 0 || behind === bytes.length)
      return bytes.subarray(wanted ? at : Math.max(at, bytes.length - mark.length))
    const match = take(message, wanted ? bytes.toString('utf8', at, end) : '', bytes[behind]!)
    if (match) yield match
    at = behind
  }
}

const [comma, closing] = [0x2c, 0x5d]

function take(message: Message, part: string, behind: number): Place | null {
  switch (message.next) {
    case 'type':
      message.next = part.endsWith('"match"') ? 'text' : part.endsWith('"begin"') ? 'path' : 'rest'
      return null
    case 'path':
      message.path = pathOf(part)
      message.next = 'type'
      return null
    case 'numbers': {
      const [line, start] = part.split(',"absolute_offset":')
      Object.assign(message, { line: Number(line), start: Number(start) })
      message.next = behind === closing ? 'rest' : 'match'
      // ripgrep counts an empty match at the end of a file but does not locate it: we use the start of its line.
      return behind === closing ? placed(message, 0) : null
    }
    case 'place':
      message.next = behind === comma ? 'match' : 'rest'
      return placed(message, Number.parseInt(part, 10))
    default:
      message.next = ({ text: 'numbers', match: 'place', rest: 'type' } as const)[message.next]
      return null
  }
}

function placed({ path, line, start }: Message, within: number): Place {
  return { path, line, offset: start + within }
}

function pathOf(part: string): string {
  const { path } = (JSON.parse(`{${part}`) as { data: { path: { text?: string; bytes?: string } } }).data
  return path.text ?? Buffer.from(path.bytes ?? '', 'base64').toString('utf8')
}
