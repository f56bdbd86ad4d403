/** A text without signs that do something instead of showing: controls, marks that turn the direction, halves of pairs. */
export function withoutControls(text: string): string {
  return (text as string & { toWellFormed(): string })
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
}
