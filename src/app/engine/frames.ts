// What an engine and its clients send each other over the socket: frames of a kind, a length and bytes.

const kinds = [
  // From a client: who it is and its command line; bytes of its standard input; the end of that; an interruption.
  ...(['hello', 'input', 'end', 'stop'] as const),
  // From the engine: it has understood; the command runs here; it does not; output; the exit code; it ends in good order.
  ...(['known', 'ready', 'alone', 'out', 'err', 'exit', 'bye'] as const),
  // Understood by every version: asks which engine this is, or asks it to end; both are answered by "about".
  ...(['about', 'quit'] as const),
]

export type Kind = (typeof kinds)[number]

/** The first message of a client: all that the engine needs to run its command line as the client would. */
export interface Hello {
  build: string
  argv: readonly string[]
  cwd: string
  home: string
  env: Readonly<Record<string, string | undefined>>
  out: Look
  err: Look
}

interface Look {
  isTTY?: boolean | undefined
  columns?: number | undefined
}

/** What the engine says when it runs the command. */
export interface Ready {
  /** Whether the command only reads, so that it may be run again when the engine dies. */
  repeatable?: boolean
  /** Whether the command reads its standard input. */
  input?: boolean
  /** For an MCP session: the tools that only read. */
  reads?: readonly string[]
}

const headerBytes = 5
/** Longer bytes go in several frames, so that nobody has to hold a whole message. */
const mostBytes = 65_536
/** The environment of a client is in its first frame. */
const longestFrame = 4_000_000

/** Writes bytes of a kind. False: wait for `drain` before more. */
export function send(
  socket: { write(bytes: Uint8Array): boolean },
  kind: Kind,
  payload: string | Uint8Array = '',
): boolean {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  const most = kind === 'out' || kind === 'err' || kind === 'input' ? mostBytes : longestFrame
  let more = true
  let start = 0
  do {
    const part = bytes.subarray(start, start + most)
    const header = Buffer.allocUnsafe(headerBytes)
    header.writeUInt8(kinds.indexOf(kind), 0)
    header.writeUInt32BE(part.length, 1)
    more = socket.write(Buffer.concat([header, part]))
    start += most
  } while (start < bytes.length)
  return more
}

/** Splits what a socket receives into frames. Throws when the other side does not speak this language. */
export function frameReader(onFrame: (kind: Kind, payload: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= headerBytes) {
      const kind = kinds[rest.readUInt8(0)]
      const length = rest.readUInt32BE(1)
      if (kind === undefined || length > longestFrame) throw new Error('These are not frames of Carrel.')
      if (rest.length < headerBytes + length) return
      const payload = rest.subarray(headerBytes, headerBytes + length)
      rest = rest.subarray(headerBytes + length)
      onFrame(kind, payload)
    }
  }
}
