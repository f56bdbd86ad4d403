// Words that look alike in English: `vérification`, `componente`, `компонент`. Of the English words that the index has, the
// nearest by edit distance, once a few endings are written as English writes them.
import { englishWords } from '../embed/bundled/english-words.js'
import { fold } from '../text/analyse.js'
import { editDistance } from '../text/edit-distance.js'
import { terms } from '../text/terms.js'
import type { IsKnown } from './correct.js'

const shortest = 5

/** Null: no English word of the index is near enough. */
export async function cognate(word: string, isKnown: IsKnown): Promise<string | null> {
  const latin = romanised(fold(word))
  if (latin.length < shortest || !/^[a-z]+$/.test(latin)) return null
  const forms = [latin, ...endings.map(([foreign, english]) => latin.replace(foreign, english))]
  byStart ??= grouped()
  const near = ((await byStart).get(sounds(latin).slice(0, 3)) ?? [])
    .map((one) => ({ one, distance: Math.min(...forms.map((form) => apart(form, one))) }))
    .filter(({ one, distance }) => distance <= Math.floor(one.length / 5))
    .sort((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1))
  for (const { one } of near) {
    const [found] = terms(one)
    if (found && (await isKnown(found.term))) return one
  }
  return null
}

let byStart: Promise<ReadonlyMap<string, readonly string[]>> | null = null

/** Looking through all English words for each word asked would take too long. */
async function grouped(): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>()
  for (const one of await englishWords()) {
    if (one.length < shortest - 1) continue
    const start = sounds(one).slice(0, 3)
    const group = groups.get(start)
    if (group) group.push(one)
    else groups.set(start, [one])
  }
  return groups
}

function apart(form: string, english: string): number {
  return editDistance(sounds(form), sounds(english), 4)
}

/** Letters that languages take for each other. */
function sounds(word: string): string {
  return word.replace(/[kq]/g, 'c').replace(/ph/g, 'f').replace(/y/g, 'i').replace(/(.)\1/g, '$1')
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/(?:cion|cao|tsiia|ciones|coes|tsii|tsiiu)$/, 'tion'],
  [/(?:sion|sao|siia|ssao)$/, 'sion'],
  [/(?:idad|idade|ite|itat|itaet)$/, 'ity'],
  [/(?:amente|emente|ement|amment|mente)$/, 'ly'],
  [/(?:ieren|iert|er|ar|ir|ovat|irovat|en)$/, ''],
  [/(?:ee|e|ado|ada|ados|adas|ido|ida)$/, 'ed'],
  [/(?:ant|ante|ente|antes|entes)$/, 'ent'],
  [/(?:izar|iser|isieren)$/, 'ize'],
  [/(?:ico|ica|isch|ische|ique|icheskii)$/, 'ic'],
  [/(?:eur|ador|ateur)$/, 'or'],
  [/(?:[aeiouy]|os|as|es|ov|ami)$/, ''],
]

const letters: Readonly<Record<string, string>> = Object.fromEntries(
  'а:a б:b в:v г:g д:d е:e ж:zh з:z и:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:h ц:ts ч:ch ш:sh щ:sch ъ: ы:y ь: э:e ю:iu я:ia'
    .split(' ')
    .map((pair) => pair.split(':')),
)

function romanised(word: string): string {
  return word.replace(/\p{Script=Cyrillic}/gu, (letter) => letters[letter] ?? letter)
}
