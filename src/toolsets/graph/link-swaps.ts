// The links of files that a rename carries along, rewritten as the files are now: whatever somebody else changed in them
// meanwhile stays.
import { type Edit, keepsSaying, withEdits } from '../../graph/frontmatter.js'
import { isMdx } from '../../parse/formats.js'
import { parseMarkdown } from '../../parse/markdown.js'
import { createYielder } from '../../runtime/yield.js'
import { encodeNote, readNote, requireWritable } from './files.js'
import type { PageFile } from './journal-pages.js'
import { type Replacement, replaceFile } from './write-files.js'

const tries = 5

/** Rewrites the links of one file. Null when it is done. */
export async function swapLinks(root: string, mark: string, file: PageFile): Promise<string | null> {
  for (let left = tries; left > 0; left--) {
    const becomes = rewritten(root, file)
    if (becomes === null || typeof becomes === 'string') return becomes
    if (await replaceFile(root, becomes, mark)) return null
  }
  return `${file.path} is being changed all the time.`
}

/** What files become, to be swapped together. Those with which anything is wrong are left to be done one by one. */
export async function rewrittenAll(root: string, files: readonly PageFile[]): Promise<Replacement[]> {
  const all: Replacement[] = []
  const yieldIfDue = createYielder()
  for (const file of files) {
    const becomes = ifItCan(() => rewritten(root, file))
    if (becomes !== null && typeof becomes !== 'string') all.push(becomes)
    await yieldIfDue()
  }
  return all
}

function ifItCan<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** Null when there is nothing to rewrite; a sentence when it must not be. */
function rewritten(root: string, { path, swaps }: PageFile): Replacement | string | null {
  const note = readNote(root, path)
  const edits = note ? linkEdits(path, note.text, new Map(swaps)) : []
  if (!note || edits.length === 0) return null
  if (!keepsSaying(note.text, edits))
    return `${path} has frontmatter that would say something else: change its links by hand.`
  requireWritable(root, path, note)
  const bytes = encodeNote(withEdits(note.text, edits), note.mark)
  return { path, before: note.hash, bytes, rights: note.rights }
}

/** Some of a text's links replaced, by how they are written. */
function linkEdits(path: string, text: string, swaps: ReadonlyMap<string, string>): Edit[] {
  const { links } = parseMarkdown(text, isMdx(path) ? 'mdx' : 'markdown')
  const edits: Edit[] = []
  let from = 0
  for (const { start, end } of [...links].sort((a, b) => a.start - b.start)) {
    const becomes = swaps.get(text.slice(start, end))
    if (becomes === undefined || start < from) continue
    edits.push({ start, end, becomes })
    from = end
  }
  return edits
}
