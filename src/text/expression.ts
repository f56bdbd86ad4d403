// Regular expressions as documents write them.

/**
 * Of whole characters, as its author sees them. One that is not strict enough for that (`\-`) is taken without, unless it
 * would then mean something else. Throws for what is no regular expression.
 */
export function expression(written: string, flags: string): RegExp {
  const isWhole = needsWhole(written)
  if (!isWhole && namesHalves.test(written)) return new RegExp(written, flags)
  try {
    return new RegExp(written, `${flags}u`)
  } catch (error) {
    if (isWhole) throw error
    return new RegExp(written, flags)
  }
}

/** Halves of pairs by their numbers (`\ud83d[\udc00-\udfff]`): for whole characters such a range has nothing to match. */
const namesHalves = /\\u[dD][89a-fA-F][\da-fA-F]{2}/

function needsWhole(written: string): boolean {
  return /\\[pPu]\{|[\u{10000}-\u{10FFFF}]/u.test(written.replaceAll('\\\\', ''))
}
