// The words of a clause that count: stems that carry content, compounds and names.
import { isStopWord, terms } from '../../text/terms.js'

/** Stems that carry content. A compound is there whole and in its parts; a name in camel case only whole. */
export function contentTerms(words: string): Set<string> {
  const text = oneName(words)
  const found = new Set<string>()
  const wholes = new Set<number>()
  for (const { term, start, end, whole } of terms(text)) {
    if (whole && !/[-_./\s:@]/.test(text.slice(start, end))) wholes.add(start)
    else if (!whole && wholes.has(start)) continue
    // "key" and "keys", "policy" and "policies" end alike here.
    const stem = term.replace(/i$/, 'y')
    if (stem.length > 1 && !term.includes('/') && !isStopWord(term) && !empty.has(stem)) found.add(stem)
  }
  return found
}

/** The same thing under the name that records mostly give it. */
export function oneName(words: string): string {
  return words.replace(otherNames, (name) => sameThing[name.toLowerCase().replace(/\s+/g, ' ')] ?? name)
}

const sameThing: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  mongo: 'MongoDB',
  k8s: 'Kubernetes',
  golang: 'Go',
  js: 'JavaScript',
  ts: 'TypeScript',
  'protocol buffers': 'Protobuf',
  'protocol buffer': 'Protobuf',
}
const otherNames = /(?<![\w.-])(?:postgres|mongo|k8s|golang|js|ts|protocol\s+buffers?)(?![\w-]|\.\w)/gi

/** Words joined by dashes: one that is longer is another thing ("external-secrets", "kubernetes-external-secrets"). */
export function compoundsIn(words: string): string[] {
  return [...words.matchAll(/\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)+/gu)].map(([compound]) =>
    compound.toLowerCase(),
  )
}

// Words that every decision has, stemmed as the tokenizer stems them.
const empty: ReadonlySet<string> = new Set(
  terms(
    `use adopt keep write run build move put make give create add introduce switch replace set let allow offer provide
    apply support permit enable require install start stop avoid drop remove retire reject disable forbid abandon refuse prefer pick choose
    select go return bring place include stay rely implement do does done get take come become be been being have has
    had call called decision decide decided option chosen chose choice approach solution new will should must may can
    could would need want our us they way thing things all any every each always never also only still already existing
    current currently long longer anymore back away rather instead such like etc good better best well more most less
    many much other another same own one two first next last now today future work working works case cases example able
    available no not without via per through over whole everything anything nothing it its this that these those
    dont doesnt didnt wont wouldnt shouldnt cant couldnt isnt arent wasnt lets`,
  ).map(({ term }) => term.replace(/i$/, 'y')),
)

/** Names as terms: they tell one product, format or convention from another. */
export function namesIn(words: string, sentence: string): Set<string> {
  const found = new Set<string>()
  for (const match of words.matchAll(word)) {
    const name = match[0]
    if (!isName(name, sentence.trimStart().startsWith(name) && match.index < 3)) continue
    for (const term of contentTerms(name)) found.add(term)
  }
  return found
}

const word = /[\p{L}\p{N}][\p{L}\p{N}_.+#/-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu

function isName(word: string, opens: boolean): boolean {
  if (/\p{Ll}\p{Lu}|^\p{Lu}{2,}|\p{L}\d|\d\p{L}|\p{L}[_.]\p{L}/u.test(word)) return true
  if (/^\p{Ll}+(?:-\p{Ll}+)+$/u.test(word)) return false
  return /^\p{Lu}/u.test(word) && !opens
}

export function runsIn(words: string, sentence: string): string[][] {
  const runs: string[][] = []
  let run: string[] = []
  let end = -1
  for (const match of words.matchAll(word)) {
    const opens = sentence.trimStart().startsWith(match[0]) && match.index < 3
    const adjoins = end >= 0 && /^\s$/.test(words.slice(end, match.index))
    if (!adjoins && run.length > 0) runs.push(run.splice(0))
    if (isName(match[0], opens)) {
      run.push(...contentTerms(match[0]))
      end = match.index + match[0].length
    } else {
      if (run.length > 0) runs.push(run)
      run = []
      end = -1
    }
  }
  return [...runs, run].filter(({ length }) => length > 1)
}
