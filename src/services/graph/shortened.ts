// Texts come back from the tools shortened. Whoever writes such a text back would lose what was left out.
import { bodyStart } from '../../graph/frontmatter.js'
import { Problem } from '../../model/problem.js'
import { truncate, truncationMark } from '../../text/truncate.js'
import { contentLimits } from './nodes.js'
import { idOf, type Spot } from './vaults.js'

/** Refuses content that was made from a shortened reading of the note it is to replace. */
export function requireWhole(spot: Spot, text: string, content: string) {
  if (!isShortened(text, content)) return
  const { vault, path } = spot
  throw new Problem(
    'invalid_params',
    `The content goes back to a shortened reading of ${idOf(spot)}, so that the rest of the note would be lost.`,
    `Read all of it in its file, or, where this server offers it, with documents_get_document (collection "${vault.source.name}", document "${path}"), and give the whole text; write "${truncationMark}" otherwise if it is meant as text. Nothing was changed.`,
  )
}

/** For a new note, which costs nothing as long as the one it was copied from is kept. */
export function shortenedWarning(content: string): string[] {
  if (!content.trimEnd().endsWith(truncationMark)) return []
  return [`The content ends in "${truncationMark}": if it was copied from another note, the rest is missing.`]
}

/** Whether content has a mark of a cut that the note has not, or goes on or ends where a tool cuts the note. */
function isShortened(text: string, content: string): boolean {
  const body = text.slice(bodyStart(text))
  const limits = Object.values(contentLimits).filter((limit) => body.length > limit)
  if (limits.length === 0) return false
  const [given, whole] = [plain(content), plain(body)]
  if (marksIn(given) > marksIn(text)) return true
  const news = (tail: string) => given.includes(tail) && !whole.includes(tail)
  if (given.endsWith(truncationMark) && news(given.slice(-tailLength))) return true
  if (limits.some((limit) => news(plain(truncate(body, limit)).slice(-tailLength)))) return true
  const { single } = contentLimits
  return limits.includes(single) && endsAtCut(whole, given, truncate(body, single))
}

const tailLength = 80

function marksIn(text: string): number {
  return text.split(truncationMark).length - 1
}

/** The mark may have been taken off and the text before it edited: where it ends still tells. */
function endsAtCut(body: string, given: string, shown: string): boolean {
  const cut = plain(shown.slice(0, -truncationMark.length))
  const tail = cut.slice(-tailLength)
  return given === cut || (given.endsWith(tail) && body.indexOf(tail) === body.lastIndexOf(tail))
}

function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd()
}
