/**
 * The part of a text that can matter to a model which reads so many tokens, with much to spare. What comes after is
 * not even sent to the worker, so that a huge text costs no more than a long one.
 */
export function headOf(text: string, tokens: number): string {
  return text.slice(0, tokens * 256)
}
