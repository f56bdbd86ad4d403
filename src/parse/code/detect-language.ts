// The language of a piece of code that does not say it, by the forms that only it has.
import { languageOfScript } from '../formats.js'

const signs: Record<string, RegExp[]> = {
  typescript: [
    /^[ \t]*(?:export\s+)?(?:interface|type|enum|declare|abstract class)\s+\w+/m,
    /\b(?:const|let|var)\s+\w+\s*:\s*\w/,
    /\)\s*:\s*(?:Promise<|void|string|number|boolean|\w+\[\]|\w+)\s*(?:=>|\{)/,
    /\(\s*(?:private|public|readonly)?\s*\w+\??:\s*\w/,
    /\bclass\s+\w+(?:<.*>)?(?:\s+extends\s+[\w.<>]+)?\s+implements\s+\w/,
    /\bas\s+(?:const|unknown|string|any)\b|\bimport\s+type\b|\bsatisfies\s/,
  ],
  javascript: [
    /\b(?:const|let)\s+[\w{[]/,
    /=>\s*[{(\w]/,
    /\bfunction\s*\*?\s*\w*\s*\([^)]*\)\s*\{/,
    /^[ \t]*(?:import|export)\s.*(?:from\s+['"]|\{|default|const|function|class)/m,
    /\b(?:console\.log|require\(|module\.exports|await\s+\w|new\s+Promise)/,
    /\btry\s*\{[\s\S]*\}\s*catch\s*(?:\(\w+\)\s*)?\{/,
  ],
  python: [
    /^[ \t]*(?:async\s+)?def\s+\w+\s*\(.*\)\s*(?:->.*)?:/m,
    /^[ \t]*class\s+\w+(?:\(.*\))?:\s*$/m,
    /^[ \t]*(?:from\s+[\w.]+\s+)?import\s+[\w., ]+\s*$/m,
    /^[ \t]*(?:if|elif|for|while|try|except|with)\b.*:\s*(?:#.*)?$/m,
    /\bself\.\w+|\b__\w+__\b/,
  ],
  go: [
    /^[ \t]*package\s+\w+\s*$/m,
    /^[ \t]*func\s+(?:\(\w+\s+\*?\w+\)\s*)?\w+\s*\(/m,
    /\w\s*:=/,
    /\bif\s+err\s*!=\s*nil\b/,
    /^[ \t]*type\s+\w+\s+(?:struct|interface)\s*\{/m,
  ],
  rust: [
    /^[ \t]*(?:pub(?:\(\w+\))?\s+)?(?:async\s+)?fn\s+\w+/m,
    /\blet\s+mut\b|\bimpl(?:<.*>)?\s+\w+/,
    /\b\w+!\s*[([{]/,
    /^[ \t]*use\s+[\w:]+(?:::\{.*\})?;/m,
    /->\s*(?:Result|Option|Self|&|Vec)\b|\?;|&mut\b|\bmatch\s+.*\{/,
  ],
  java: [
    /\b(?:private|public|protected)\s+(?:static\s+|final\s+)*[A-Z]\w*(?:<.*>)?\s+\w+\s*[;(=]/,
    /^[ \t]*(?:public|private|protected)\s+(?:static\s+|final\s+|abstract\s+)*(?:class|interface|enum|record|void|\w+(?:<.*>)?)\s+\w+/m,
    /^[ \t]*import\s+(?:static\s+)?[a-z]\w*(?:\.\w+)+(?:\.\*)?;/m,
    /\bSystem\.out\.|\bnew\s+\w+(?:<.*>)?\(.*\);|@Override\b/,
    /^[ \t]*package\s+[\w.]+;/m,
  ],
  csharp: [
    /^[ \t]*using\s+[A-Z][\w.]*;/m,
    /^[ \t]*namespace\s+[\w.]+/m,
    /\b(?:public|private)\s+(?:async\s+)?(?:Task|string|int|bool|void|var)\b.*\{\s*(?:get;)?/,
    /\bConsole\.Write/,
  ],
  kotlin: [
    /^[ \t]*(?:override\s+|suspend\s+)*fun\s+(?:\w+\.)?\w+\s*\(/m,
    /\bval\s+\w+\s*[:=]/,
    /\bdata\s+class\b|\bwhen\s*\(/,
  ],
  ruby: [
    /^[ \t]*def\s+[\w.?!]+(?:\s*\(.*\))?\s*$/m,
    /^[ \t]*end\s*$/m,
    /\bdo\s*\|\w+|\bputs\s|\brequire\s+['"]/,
    /@\w+\s*=/,
  ],
  php: [/<\?php/, /\$\w+\s*=/, /\bfunction\s+\w+\s*\(.*\$\w+/],
  sql: [
    /^[ \t]*(?:select\b[\s\S]*\bfrom|insert\s+into|update\s+\w+\s+set|delete\s+from|create\s+(?:table|index|view)|alter\s+table|begin;|with\s+\w+\s+as)\b/im,
  ],
  html: [/^\s*<!doctype html|<html[\s>]|<(?:div|span|body|head|section|form)[\s>]/i],
  css: [
    /^[ \t]*[.#@]?[\w-]+(?:(?:\s*[,>+~:]\s*|[^\S ]* \s*)[.#]?[\w-]+)*\s*\{\s*(?:\n\s*)?[\w-]+\s*:\s*[^;{}]+;/m,
  ],
  c: [/^[ \t]*#include\s*[<"]/m, /\bint\s+main\s*\(/, /\b(?:malloc|printf|sizeof)\s*\(/],
  shell: [/^[ \t]*(?:if \[|fi\b|done\b|esac\b|export \w+=|set -e)/m],
  yaml: [/^(?:[\w-]+:\s.*\n){2}/m],
  json: [/^\s*[{[]\s*(?:"[^"\n]*"\s*:|[\]}{["\d])/],
}

/** A long run of blanks can be shared out among the parts of a form in very many ways, and all would be tried. */
function folded(text: string): string {
  return text.replace(/\s{2,}/g, (blanks) => (blanks.includes('\n') ? '\n' : ' '))
}

/** Only the start of a text is examined, to limit the time. */
const looked = 20_000

/**
 * The likeliest language, or null if no form matches. `expected` are the languages that rules are written for: they win
 * a tie, and TypeScript wins over JavaScript when only JavaScript forms match, because JavaScript is a part of it.
 */
export function detectLanguage(code: string, expected: readonly string[] = []): string | null {
  const script = languageOfScript(code)
  if (script) return script
  const text = folded(code.slice(0, looked))
  const scores = Object.entries(signs).map(([language, forms]) => {
    const found = forms.filter((form) => form.test(text)).length
    return { language, score: found === 0 ? 0 : found + (expected.includes(language) ? 0.5 : 0) }
  })
  const score = (name: string) => scores.find(({ language }) => language === name)!.score
  // TypeScript code matches forms of both.
  if (score('typescript') > 0 && score('javascript') > 0)
    scores.push({ language: 'typescript', score: score('typescript') + score('javascript') })
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a))
  if (best.score === 0) return null
  return best.language === 'javascript' && expected.includes('typescript') && !expected.includes('javascript')
    ? 'typescript'
    : best.language
}
