// Names of options compared: case and marks do not count.

/** The same words, or the head of the longer one before a dash or a colon. */
export function sameName(a: string, b: string): boolean {
  const [one, other] = [letters(a), letters(b)]
  if (one === other) return one !== ''
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 3 && long.startsWith(`${short} `)
}

export function letters(name: string): string {
  return name
    .toLowerCase()
    .replace(/["'“”‘’`*_()[\],.:;–—-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
