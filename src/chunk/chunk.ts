import type { Chunk, Parsed } from '../model/document.js'
import { chunkCode } from './code.js'
import { chunkLines } from './lines.js'
import { chunkProse } from './prose.js'

/** Cuts a document into passages: prose by headings, code by declarations, anything else by paragraphs and lines. */
export function chunk(parsed: Parsed, about: { path: string; title: string }): Chunk[] {
  if (parsed.format === 'code') return chunkCode(parsed, about)
  return parsed.blocks.length > 0 ? chunkProse(parsed, about) : chunkLines(parsed, about)
}
