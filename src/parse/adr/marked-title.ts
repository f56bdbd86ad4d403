// A title that says where its record stands: "[Deprecated] Use X", "Use X (superseded by ADR-12)", "Use X - REJECTED".
import { supersededBy } from './verbs.js'

export interface MarkedTitle {
  title: string
  /** As written, without its brackets. */
  mark: string | null
}

export function markedTitle(heading: string): MarkedTitle {
  if (heading.length > longest) return { title: heading, mark: null }
  for (const form of forms) {
    const [whole, mark] = form.exec(heading) ?? []
    if (!whole || !mark || !isMark.test(mark.trim())) continue
    const title = heading
      .replace(whole, '')
      .replace(/\s*[|–—:-]\s*$/, '')
      .trim()
    if (title !== '') return { title, mark: mark.trim() }
  }
  return { title: heading, mark: null }
}

/** What is longer is no title. */
const longest = 500

const forms = [
  /^[^\p{L}\p{N}[(]*[[(]([^[\]()]{3,100})[\])]\s*[:–—-]?\s*/u,
  /(?<=^(?:adr[-_ ]?)?\d{1,5}\s{0,3})[[(]([^[\]()]{3,100})[\])]\s*[:–—-]?\s*/i,
  /\s*[[(]([^[\]()]{3,200})[\])]\s*$/,
  /\s+[–—-]\s+([^–—]{3,200})$/,
  /\s*[|–—-]\s*(status\s?:[^|–—]{3,200})$/i,
]

// A title may end with "(accepted risks)" or "- draft a plan": the word stands alone, or says by what.
const isMark = new RegExp(
  `^(?:status ?: ?)?(?:draft|wip|proposed|accepted|approved|rejected|declined|withdrawn|deprecated|obsolete|retired|archived|abandoned|superseded|replaced|(?:partly |partially )?${supersededBy} .+)$`,
  'i',
)
