// What is picked, and for what.

const uses =
  /\b(?:use|uses|used|using|adopt(?:s|ed|ing)?|choos(?:e|es|ing)|chose|chosen|pick(?:s|ed)?|select(?:s|ed)?|go(?:ing)? with|go(?:ing)? back to|back to|return to|introduc(?:e|es|ed|ing)|prefer(?:s|red)?|switch(?:ing|ed)? to|mov(?:e|ing|ed)(?: \w+){0,3} to|migrat(?:e|ing)(?: \w+){0,3} to|keep(?:s|ing)?|stay(?:s|ing)? (?:on|with)|bring(?:ing)? back|pursue|opt(?:ed)? for)\s+/i
const purpose = /\s+(?:for|as|to|when|where|in|on|across|at|inside|within|throughout)\s+/i
const means =
  /\s+(?:with|using|via|through|by|under|in|on|as)\s+(?!(?:which|that|order|place|favou?r|case|addition|front|general)\b)/gi

export function slots(words: string): { option: string; concern: string; slot: 'use' | 'means' | null } {
  const used = uses.exec(words)
  if (used) {
    const rest = words.slice(used.index + used[0].length)
    const cut = purpose.exec(rest)
    const before = words.slice(0, used.index)
    return cut
      ? {
          option: rest.slice(0, cut.index),
          concern: `${before} ${rest.slice(cut.index + cut[0].length)}`,
          slot: 'use',
        }
      : { option: rest, concern: before, slot: 'use' }
  }
  const state =
    /\b(?:is|are|be|being|stay|live)\s+(?:\w+(?:ed|en|t)\s+)?(?:in|on|with|by|under|as|at)\s+/i.exec(words)
  if (state)
    return {
      option: words.slice(state.index + state[0].length),
      concern: `${words.slice(0, state.index)} ${state[0]}`,
      slot: 'use',
    }
  const all = [...words.matchAll(means)]
  const last =
    all.find((match) => /^(?:the |an? )?[A-Z`"“]/.test(words.slice(match.index + match[0].length))) ??
    all[all.length - 1]
  if (!last) return { option: '', concern: words, slot: null }
  return {
    option: words.slice(last.index + last[0].length),
    concern: words.slice(0, last.index),
    slot: 'means',
  }
}
