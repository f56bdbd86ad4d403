// Scripts with ways of their own, as they stand in a class of a regular expression.

/** Those that are written without spaces between words. */
export const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'

// What makes a kana long or another sound, also where that is a sign of its own: `ﾃﾞｰﾀ`, and `デ` of two characters.
const kanaMarks = 'ーｰ\\u3099\\u309a\\uff9e\\uff9f'

/** Those that the tokenizer takes apart for that: Korean, too, whose words run into their endings. */
export const spaceless = `${unspaced}\\p{Script=Hangul}${kanaMarks}`

/**
 * Signs inside words that show nothing and mean nothing to whoever reads: where a line may break and where it may not. The
 * joiners U+200C and U+200D are none of them: they part words in Persian, shape letters in India and make one emoji of two.
 */
export const unseen = '\u00ad\u200b\u2060\ufeff'

/** Scripts of India and its neighbours, whose marks are vowels: words that differ by one are others. */
export const vowelMarked = [
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Tibetan', 'Thaana'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('')

/** The dot that writes borrowed sounds in them, and that many leave out. */
export const nuktas = '\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc'
