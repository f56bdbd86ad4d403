// A question that names a programming language, as people ask the web: "python check if a string is a number", "reverse a
// slice in golang". Code hardly ever says its language, so the name is no word to look for in code: code of that language
// has it. Pure.
import type { StoredChunk } from '../model/document.js'
import { languageNamed } from '../parse/formats.js'
import { isStopWord, terms } from '../text/terms.js'

export interface AskedLanguage {
  /** The question without the name. */
  rest: string
  /** The name as a term. */
  term: string
  /** Whether code is of that language; null for what is no code. */
  isOf(chunk: StoredChunk): boolean | null
}

// Where there is a measure (evals/web.ts). Not Java: its name stands in every path (src/main/java), and on two libraries this
// cost two points.
const names = 'python|golang|javascript|typescript|nodejs'
/** In front of what is asked for, or behind it. Only names that mean nothing else. */
const named = new RegExp(`^(${names})\\s+(?=\\S)|[\\s,]+(?:(?:in|with|using)\\s+)?(${names})[\\s?!.]*$`, 'iu')
/** "Why is it written in Python" is about the language. */
const aboutLanguage = /^(?:why|which|what|who|when|where|is|are|was|were|do|does|did)\b/iu
const leastWords = 2

/** Null where a question names no language, or little else. */
export function askedLanguage(question: string): AskedLanguage | null {
  const match = named.exec(question)
  const name = (match?.[1] ?? match?.[2])?.toLowerCase()
  if (!match || !name || aboutLanguage.test(question)) return null
  const rest = question.replace(match[0], '')
  const [next] = terms(rest)
  // "TypeScript for the API" is a title.
  if (match[1] && next && isStopWord(next.term) && next.term !== 'how') return null
  if (terms(rest).filter(({ term }) => !isStopWord(term)).length < leastWords) return null
  const language = familyOf(languageNamed(name))
  return {
    rest,
    term: terms(name)[0]!.term,
    isOf: (chunk) => (chunk.kind === 'code' ? familyOf(chunk.language ?? '') === language : null),
  }
}

/** People say JavaScript of both. */
function familyOf(language: string): string {
  return language === 'typescript' ? 'javascript' : language
}
