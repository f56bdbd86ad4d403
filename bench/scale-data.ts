// Text of any size from a seed: words as unevenly used as in real writing, in Markdown documents with headings,
// paragraphs, lists and code. Real enough for speed and size; never used to judge quality.

export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const syllables =
  'ra ko ti me su lan ver pol dex in or qua zen mi tor bel cas du ep fi gol ha ju kel lo mar ne op pra ri sed tu um va wes xi yo'.split(
    ' ',
  )
const common = 'the of and to in is a for that with as on be it by are this from or which can not'.split(' ')

export interface World {
  word(): string
  /** A question of so many telling words, with the little words people put around them. */
  question(words: number): string
  document(characters: number): string
}

export function world(seed: number, vocabulary = 60_000): World {
  const next = random(seed)
  const words = Array.from({ length: vocabulary }, (_, i) => spell(i))
  // Zipf: the n-th word is used n times less often than the first.
  const pick = () => words[Math.min(vocabulary - 1, Math.floor(Math.exp(next() * Math.log(vocabulary))) - 1)]!
  const word = () => (next() < 0.4 ? common[Math.floor(next() ** 2 * common.length)]! : pick())
  const sentence = () => {
    const list = Array.from({ length: 6 + Math.floor(next() * 16) }, word).join(' ')
    return `${list[0]!.toUpperCase()}${list.slice(1)}.`
  }
  const paragraph = () => Array.from({ length: 2 + Math.floor(next() * 5) }, sentence).join(' ')
  const name = () => `${pick()}${pick().replace(/^./, (c) => c.toUpperCase())}`
  const code = () =>
    `\`\`\`ts\nexport function ${name()}(${pick()}: string) {\n  return ${name()}(${pick()})\n}\n\`\`\``
  const list = () => Array.from({ length: 3 + Math.floor(next() * 4) }, () => `- ${sentence()}`).join('\n')
  const title = () => Array.from({ length: 2 + Math.floor(next() * 3) }, pick).join(' ')
  return {
    word: pick,
    question: (count) => `how do ${Array.from({ length: count }, pick).join(' ')} work`,
    document(characters) {
      let text = `# ${title()}\n\n`
      while (text.length < characters) {
        const dice = next()
        if (dice < 0.18) text += `${'#'.repeat(2 + Math.floor(next() * 2))} ${title()}\n\n`
        text += `${dice < 0.08 ? code() : dice < 0.14 ? list() : paragraph()}\n\n`
      }
      return text
    },
  }
}

function spell(n: number): string {
  let word = ''
  let rest = n + 40
  while (rest > 0) {
    word += syllables[rest % syllables.length]
    rest = Math.floor(rest / syllables.length)
  }
  return word
}
