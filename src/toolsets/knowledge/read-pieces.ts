import { read } from 'node:fs'
import { promisify } from 'node:util'
import { Problem } from '../../model/problem.js'

const readSome = promisify(read)
const pieceSize = 1_000_000

/** An open file from its start, piece by piece. One that grows past the limit while it is read is a Problem. */
export async function* readPieces(handle: number, mostBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await readSome(handle, Buffer.alloc(pieceSize), 0, pieceSize, at)
    if (bytesRead === 0) return
    at += bytesRead
    if (at > mostBytes) throw new Problem('too_large', 'The file grew past the limit while it was read.')
    yield buffer.subarray(0, bytesRead)
  }
}
