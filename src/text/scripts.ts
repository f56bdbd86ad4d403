// Scripts that are written without spaces between words, as they stand in a class of a regular expression.

export const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'

/** Those that the tokenizer takes apart: Korean, too, whose words run into their endings. */
export const spaceless = `${unspaced}\\p{Script=Hangul}ー`
