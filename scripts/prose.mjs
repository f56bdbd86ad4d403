// Measures the prose that people read: README, docs, help, errors and notes. Prints the averages and the twenty worst texts.
// `npm run prose`. The score is only a hint where to look: read the text and mend it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, setUp } from './setup.mjs'
import { collectTexts } from './words.mjs'

const [longParagraph, longSentence] = [60, 20]
// Phrases of the old manner: they make a reader go back.
const dialect =
  /\b(whoever|told of|is told|are told|that there is not|such a one|in part only|by then|what is|what was|which is none|nobody|somebody|none of (?:its|them)|is no \w+|are no \w+|goes by|by itself alone|parted|mend(?:ed|s)?|taken? (?:in|out)|stands? (?:in|within|nowhere)|as it is written|at its end|to its end|of its own|is said|are said|handed in)\b/gi
const passive =
  /\b(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+)?(?:\w+ed|given|taken|kept|found|read|written|shown|made|put|sent|set|cut|told|said|left|lost|held|built|known|seen|done|gone|begun|chosen|hidden)\b/gi

setUp()
const texts = [...documents().flatMap(paragraphs), ...(await programTexts())]
const all = texts.map(measure)
const words = sum(all, 'words')
const sentences = sum(all, 'sentences')
console.log(`${all.length} paragraphs, ${words} words.`)
console.log(
  `Words a paragraph: median ${median(all.map((one) => one.words))}, longest ${Math.max(...all.map((one) => one.words))}.`,
)
console.log(`Words a sentence: ${(words / sentences).toFixed(1)} on average.`)
console.log(`Passive voice: ${((100 * sum(all, 'passive')) / sentences).toFixed(1)} in 100 sentences.`)
console.log(`Phrases of the old manner: ${sum(all, 'dialect')}.`)
console.log('\nThe worst twenty:')
for (const one of all.toSorted((a, b) => b.score - a.score).slice(0, 20)) {
  const facts = `${one.words} words, longest sentence ${one.longest}, passive ${one.passive}, phrases: ${one.phrases.join(', ') || 'none'}`
  console.log(`\n${one.where} (${facts})\n  ${one.text.replace(/\s+/g, ' ').slice(0, 300)}`)
}

function documents() {
  const found = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']
    .map((name) => join(root, name))
    .filter(existsSync)
  const docs = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
  const pages = docs.filter((one) => one.isFile() && one.name.endsWith('.md'))
  return [...found, ...pages.map((one) => join(one.parentPath ?? one.path, one.name)).sort()]
}

/** Paragraphs and list items of a Markdown file, without code, tables and headings. */
function paragraphs(path) {
  const text = readFileSync(path, 'utf8').replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, (block) =>
    block.replace(/[^\n]/g, ''),
  )
  let line = 1
  return text.split(/(\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s))/).flatMap((part) => {
    const where = `${relative(root, path)}:${line + (/^\s*/.exec(part)[0].match(/\n/g) ?? []).length}`
    line += (part.match(/\n/g) ?? []).length
    const body = part.trim()
    return /\w/.test(body) && !/^[|#<!]/.test(body) ? [{ where, text: body }] : []
  })
}

/** Help without its tables of options and examples, errors, notes and the like. */
async function programTexts() {
  const found = await collectTexts()
  return found.flatMap(({ where, text, kind }) =>
    kind === 'help'
      ? text
          .split(/\n\n/)
          .filter((part) => !/^(Usage|Arguments|Options|Global Options|Commands|Examples?):/.test(part))
          .map((part) => ({ where: `${where} --help`, text: part }))
      : [{ where, text }],
  )
}

function measure({ where, text }) {
  const plain = text
    .replace(/`[^`]*`/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, 'url')
  const each = plain.split(/(?<=[.!?:;])\s+(?=[A-Z"'(0-9])/).map(count)
  const phrases = [...plain.matchAll(dialect)].map(([phrase]) => phrase.toLowerCase())
  const found = {
    ...{ where, text, phrases, dialect: phrases.length, words: count(plain), longest: Math.max(...each) },
    sentences: each.length,
    passive: (plain.match(passive) ?? []).length,
  }
  const score =
    Math.max(0, found.words - longParagraph) / 10 +
    Math.max(0, found.longest - longSentence) / 2 +
    found.passive +
    4 * found.dialect
  return { ...found, score }
}

function count(text) {
  return (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu) ?? []).length
}

function sum(list, key) {
  return list.reduce((total, one) => total + one[key], 0)
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
