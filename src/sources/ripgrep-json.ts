// The matches in what `rg --json` prints, read as it comes. A message is as long as the line it is about, which may be
// megabytes, and says where the matches are only behind that text. So no message is held or parsed whole: its parts end
// with marks that cannot stand within a text, since every quote there has a backslash in front of it.

/** Where a match starts. */
export interface Place {
  /** As ripgrep names it, with U+FFFD for bytes that are no UTF-8. */
  path: string
  /** From 1. */
  line: number
  /** In bytes from the start of the file, which is read as UTF-8. */
  offset: number
}

/**
 * In the order printed, matches of nothing included. Whoever stops asking stops the stream. Patterns are taken to match
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
  /** Of the line, in bytes from the start of the file. */
  start: number
}

type Part = 'type' | 'path' | 'text' | 'numbers' | 'match' | 'place' | 'rest'

/** What ends a part, and whether the bytes before that are wanted, which are few then, or passed over. */
const parts: Record<Part, { mark: Buffer; wanted: boolean }> = {
  type: { mark: Buffer.from(','), wanted: true },
  path: { mark: Buffer.from('\n'), wanted: true },
  text: { mark: Buffer.from('},"line_number":'), wanted: false },
  numbers: { mark: Buffer.from(',"submatches":['), wanted: true },
  match: { mark: Buffer.from('},"start":'), wanted: false },
  place: { mark: Buffer.from('}'), wanted: true },
  rest: { mark: Buffer.from('\n'), wanted: false },
}

/** Gives the bytes to put in front of the next ones: those of a part that is not over, or that may begin its mark. */
function* advance(message: Message, bytes: Buffer): Generator<Place, Buffer> {
  let at = 0
  for (;;) {
    const { mark, wanted } = parts[message.next]
    const end = bytes.indexOf(mark, at)
    const behind = end + mark.length
    // What a part means may depend on the byte behind its mark.
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
      // A match of nothing at the end of a file is counted by ripgrep but not placed: its line stands for it.
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
