// Messages over a pipe: four bytes of length, then the value in V8's own serialization (bytes travel as bytes).
import type { Readable, Writable } from 'node:stream'
import { deserialize, serialize } from 'node:v8'

export function sendFrame(pipe: Writable, value: unknown) {
  const body = serialize(value)
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32LE(body.length)
  pipe.write(head)
  pipe.write(body)
}

/** Calls back with every message. One that announces more than `most` bytes is not taken in: `onTooLong` decides. */
export function readFrames(
  pipe: Readable,
  most: number,
  { onFrame, onTooLong }: { onFrame(value: unknown): void; onTooLong(length: number): void },
) {
  let parts: Buffer[] = []
  let have = 0
  let needed = 4
  let inBody = false
  pipe.on('data', (part: Buffer) => {
    parts.push(part)
    have += part.length
    while (have >= needed) {
      const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      const frame = whole.subarray(0, needed)
      parts = whole.length > needed ? [whole.subarray(needed)] : []
      have -= needed
      if (inBody) onFrame(deserialize(frame))
      const length = inBody ? 4 : frame.readUInt32LE()
      if (length > most && !inBody) {
        pipe.pause()
        parts = []
        return onTooLong(length)
      }
      needed = length
      inBody = !inBody
    }
  })
}
