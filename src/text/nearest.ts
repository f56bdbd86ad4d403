import { editDistance } from './edit-distance.js'

/** The known name closest to what was written, for "did you mean"; null when none is close. */
export function nearest(written: string, known: Iterable<string>): string | null {
  const names = [...known]
  return bySlips(written, names) ?? byWords(written, names)
}

function bySlips(written: string, known: readonly string[]): string | null {
  let best: string | null = null
  const lower = written.slice(0, longest).toLowerCase()
  let least = Math.max(2, Math.floor(lower.length / 3)) + 1
  for (const name of known) {
    const distance = editDistance(lower, name.toLowerCase().slice(0, longest), least)
    if (distance < least) {
      least = distance
      best = name
    }
  }
  return best
}

/** The shortest name that has every word of it: "outbox" is short for "transactional-outbox". */
function byWords(written: string, known: readonly string[]): string | null {
  const wanted = wordsIn(written)
  const having = known.filter((name) => {
    const known = new Set(wordsIn(name))
    return wanted.length > 0 && wanted.every((word) => known.has(word))
  })
  return having.reduce<string | null>(
    (best, name) => (best && best.length <= name.length ? best : name),
    null,
  )
}

function wordsIn(name: string): string[] {
  return (
    name
      .slice(0, longest)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  )
}

/** A sentence for a hint, or nothing. */
export function didYouMean(written: string, known: Iterable<string>): string | undefined {
  const name = nearest(written, known)
  return name === null ? undefined : `Did you mean "${name}"?`
}

const longest = 200
