// A text as its characters or words. Each segmenter is made when it is first needed: the first one takes a process 9 ms, and
// most commands need none.

let characters: Intl.Segmenter | undefined
let words: Intl.Segmenter | undefined

/** Characters as they are seen: a letter with its marks, a flag, a family of emoji. */
export function characterSegments(text: string): Intl.Segments {
  characters ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return characters.segment(text)
}

export function wordSegments(text: string): Intl.Segments {
  words ??= new Intl.Segmenter('en', { granularity: 'word' })
  return words.segment(text)
}
