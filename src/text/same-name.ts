/** A name for comparing: case and the two ways Unicode writes an accent make no difference. */
export function sameName(name: string): string {
  // A small sigma is another letter at the end of a word, and where a word ends is not told by `ΟΔΟΣ.md`.
  return small(name).replaceAll('ς', 'σ')
}

/** In small letters, of which that of İ is i: JavaScript makes it i and a dot above it, which nobody types. */
export function small(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll('i\u0307', 'i')
}
