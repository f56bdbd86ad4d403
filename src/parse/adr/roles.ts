// Which part of a record a heading opens. Templates differ in words and agree in parts.
import { translatedRole } from './translated.js'

export type Role =
  | 'status'
  | 'context'
  | 'decision'
  | 'consequences'
  | 'options'
  | 'arguments'
  | 'confirmation'
  | 'links'
  | 'history'
  | 'metadata'
  | 'drivers'

/** The role, and what the heading says beyond it ("accepted" of "Status: accepted"). */
export function roleOf(heading: string): { role: Role | null; rest: string } {
  const words = simplified(heading)
  const colon = /^([^:–—]{3,40}?)\s*(?::|–|—| - )\s*(.*)$/.exec(words)
  for (const [role, pattern] of patterns) {
    if (pattern.test(words)) return { role, rest: '' }
    if (colon && splits.has(role) && pattern.test(colon[1]!)) return { role, rest: restOf(heading) }
  }
  const translated = translatedRole(words)
  if (translated) return { role: translated, rest: '' }
  const before = colon && translatedRole(colon[1]!)
  return before && splits.has(before) ? { role: before, rest: restOf(heading) } : { role: null, rest: '' }
}

// "Context: the story so far" is a context; "Options: a guide to Java's" may be anything.
const splits: ReadonlySet<Role> = new Set(['status', 'decision', 'context'])

function restOf(heading: string): string {
  return heading.replace(/^[^:–—]*?(?::|–|—| - )\s*/, '').trim()
}

function simplified(heading: string): string {
  return heading
    .slice(0, 200)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/^(?:\d{1,2}(?:\.\d{1,2}){0,3}[.):]?|[ivx]{1,4}[.)])\s+/, '')
    .replace(/[^\p{L}\p{N})]+$/u, '')
    .replace(/\s*\((?:optional|required)\)$/, '')
    .replace(/\s+/g, ' ')
}

const patterns: readonly [Role, RegExp][] = [
  ['status', /^(?:adr |decision |current |the )?(?:status|state)$/],
  [
    'metadata',
    /^(?:meta|metadata|meta data|header|record|(?:adr|decision|document|record) (?:info|information|metadata|details|control|properties))$/,
  ],
  [
    'drivers',
    /^(?:decision |key |main )?(?:drivers|criteria|forces|requirements|constraints|goals|non-goals|assumptions)$|^decision (?:drivers?|criteria|factors)\b/,
  ],
  [
    'arguments',
    /^(?:(?:the )?(?:pros|advantages|benefits)(?: and | & | \/ |\/)(?:cons|disadvantages|drawbacks)|evaluation|comparison|analysis|trade-?offs?|discussion)(?: (?:of|between) (?:the |all )?(?:considered |other |rejected |different )?(?:options|alternatives|solutions))?$/,
  ],
  [
    'options',
    /^(?:the |all |other |our |possible |considered |available |alternative |rejected |proposed |evaluated |potential )*(?:options?|alternatives?|solutions|candidates|approaches|choices)(?: (?:we )?(?:considered|evaluated|explored|rejected|discarded|on the table|available|analysis|and analysis))?$|^(?:what (?:else )?(?:we|was) considered|proposals|ideas considered)$/,
  ],
  [
    'consequences',
    /^(?:the |expected |positive |negative |neutral |other |known )*(?:consequences?|implications?|impacts?|effects?|ramifications|outcomes and consequences|results|positives?|negatives?|neutral|benefits|drawbacks|downsides|upsides|risks)(?: (?:of (?:the|this) decision|and (?:mitigations?|trade-?offs|risks|implications)))?$/,
  ],
  [
    'decision',
    /^(?:the |our |final |proposed |existing |architectural |current |chosen |historical |original |the existing |the final )*(?:decisions?|decision outcome|outcome|proposal|resolution|verdict|conclusion|(?:chosen|preferred|selected|recommended) (?:option|solution|alternative)|solution|recommendation|agreement|what's proposed|what is proposed|what we decided|what was decided|what we will do|decision made|decision taken|decision and (?:rationale|justification|reasoning))$/,
  ],
  [
    'context',
    /^(?:the |our )*(?:context|problem|problem statement|background|issue|motivation|introduction|situation|abstract|summary|overview|question|why|context and problem(?: statement)?|context & problem(?: statement)?|problem and context|problem description|background and (?:context|motivation)|context and background|decision context)$/,
  ],
  [
    'confirmation',
    /^(?:confirmation|validation|compliance|verification|enforcement|assertions|fitness functions?|how we check)$/,
  ],
  [
    'links',
    /^(?:links?|related|related (?:adrs?|decisions?|documents?|records?|links?|artifacts?|information|work)|relations?|relationships|references?|see also|more information|further (?:reading|information)|notes?|resources)$/,
  ],
  [
    'history',
    /^(?:changelog|change log|history|revision history|revisions?|document history|status history|updates?|version history)$/,
  ],
]
