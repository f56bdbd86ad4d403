/** A name for comparing: case and the two ways Unicode writes an accent make no difference. */
export function sameName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
