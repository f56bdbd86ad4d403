// Recognises the labels of arguments ("Pros", "Negative consequences") in headings, columns and lines of their own.

export type Side = 'good' | 'bad' | 'neutral'

const spaced: Readonly<Record<Side, string>> = {
  good: 'pros?|good|positives?|advantages?|benefits?|upsides?|strengths?|gut|vorteile?|positiv(?:e[nrs]?)?|avantages?|positi(?:fs?|ves?)|ventajas?|prós?|vantage(?:m|ns)|positiv[ao]s?|vantaggi[o]?|positivi|zalet[ay]|pozytywn\\p{L}+|плюсы?|преимуществ[ао]|положительн\\p{L}+',
  bad: 'cons?|bad|negatives?|disadvantages?|drawbacks?|downsides?|weakness(?:es)?|risks?|schlecht|nachteile?|risiken|negativ(?:e[nrs]?)?|inconvénients?|désavantages?|négati(?:fs?|ves?)|risques?|contras?|desventajas?|inconvenientes?|riesgos?|desvantage(?:m|ns)|riscos?|negativ[ao]s?|svantaggi[o]?|contro|rischi[o]?|negativi|wad[ay]|ryzyk[ao]|negatywn\\p{L}+|минусы?|недостат(?:ок|ки)|отрицательн\\p{L}+|риски?',
  neutral: 'neutral\\p{L}{0,3}|neutre|neutr[ao]s?|interesting|нейтральн\\p{L}+',
}

// Chinese, Japanese and Korean put no space around them.
const signs: Readonly<Record<Side, string>> = {
  good: '优点|优势|正面|积极|好处|利点|(?<!デ)メリット|長所|ポジティブ|장점|긍정적',
  bad: '缺点|劣势|负面|消极|风险|欠点|デメリット|短所|ネガティブ|단점|부정적',
  neutral: '中性|中立|중립',
}

const sides = ['good', 'bad', 'neutral'] as const

function patterns(form: (side: Side) => string): readonly [Side, RegExp][] {
  return sides.map((side) => [side, new RegExp(form(side), 'iu')])
}

const within = patterns((side) => `(?<!\\p{L})(?:${spaced[side]})(?!\\p{L})|${signs[side]}`)
const leading = patterns((side) => `^[^\\p{L}\\p{N}]*(?:(?:${spaced[side]})(?!\\p{L})|(?:${signs[side]}))`)

/** The side that a heading or the head of a column names; none where it names both. */
export function sideNamed(heading: string): Side | null {
  const [side, other] = within.flatMap(([one, words]) => (words.test(heading) ? one : []))
  return side && !other ? side : null
}

/** A line that says no more than what side the lines below it are on: "Pros:", "**Negative consequences**", "➕ Pros". */
export function sideLabelled(text: string): Side | null {
  if (text.length > 60) return null
  const [, said = '', colon] =
    /^[^\p{L}\p{N}]*([^:：,.!?]{2,40}?)\s*([:：]?)[^\p{L}\p{N}]*$/u.exec(text) ?? []
  const [first = '', ...rest] = said.split(/\s+/)
  if (rest.length > (colon ? 4 : 1)) return null
  return colon || rest.every((word) => noun.test(word)) ? leads(first) : null
}

const noun =
  /^(?:consequences?|impacts?|effects?|implications?|outcomes?|aspects?|points?|sides?|folgen|auswirkungen|aspekte)$/i

function leads(text: string): Side | null {
  return leading.find(([, words]) => words.test(text))?.[0] ?? null
}
