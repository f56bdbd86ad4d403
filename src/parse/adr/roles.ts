// Which part of a record a heading opens. Templates differ in words and agree in parts.
import { translatedRole } from './translated-headings.js'

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
  if (words === '') return { role: null, rest: '' }
  const whole = roleNamed(words)
  if (whole) return { role: whole, rest: '' }
  const before = /^([^:：–—]{2,40}?)\s*(?:[:：–—]| - )/.exec(words)?.[1]
  const split = before ? roleNamed(before) : null
  if (split && splits.has(split)) return { role: split, rest: restOf(heading) }
  return { role: roleAmong(words), rest: '' }
}

function roleNamed(words: string): Role | null {
  for (const [role, pattern] of patterns) if (pattern.test(words)) return role
  return translatedRole(words)
}

/** Whether a heading is the name of a part and no more: a title may begin like one ("Decision: use Redis"). */
export function namesPart(heading: string): boolean {
  const { role, rest } = roleOf(heading)
  return role !== null && (role === 'status' || rest === '')
}

/** "Options / alternatives", "Context (why now)", "결정 (decision)": said twice, or with a remark. */
function roleAmong(words: string): Role | null {
  const [, name = words, remark = ''] = /^([^()（）]{2,60}?)\s*[(（]([^()（）]{2,60})[)）]$/.exec(words) ?? []
  const twice = /[a-z]/.test(name) ? [] : [remark]
  for (const one of [...name.split(/\s*[/|]\s*/), ...twice]) {
    const role = isOneOfSeveral.test(one) ? null : roleNamed(one)
    if (role) return role
  }
  return null
}

// "Solution (REST)" is one of the options.
const isOneOfSeveral = /^(?:solution|proposal|recommendation|alternative|option)$/

// "Context: the story so far" is a context; "Options: a guide to Java's" may be anything.
const splits: ReadonlySet<Role> = new Set(['status', 'decision', 'context'])

function restOf(heading: string): string {
  return heading.replace(/^[^:：–—]*?(?:[:：–—]| - )\s*/, '').trim()
}

function simplified(heading: string): string {
  return heading
    .slice(0, 200)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/^(?:\d{1,2}(?:\.\d{1,2}){0,3}[.):]?|[ivx]{1,4}[.)])\s+/, '')
    .replace(/[^\p{L}\p{N})）]+$/u, '')
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
    /^(?:the |all |other |our |possible |considered |available |alternative |rejected |proposed |evaluated |potential )*(?:options?|alternatives?|solutions|candidates|approaches|choices)(?: (?:we )?(?:considered|evaluated|explored|rejected|discarded|on the table|available|analysis|and analysis))?$|^(?:what (?:else )?(?:we|was) considered|proposals|positions|ideas considered)$/,
  ],
  [
    'consequences',
    /^(?:the |expected |positive |negative |neutral |other |known )*(?:consequences?|implications?|impacts?|effects?|ramifications|outcomes and consequences|results|positives?|negatives?|neutral|benefits|drawbacks|downsides|upsides|risks)(?: (?:of (?:the|this) decision|and (?:mitigations?|trade-?offs|risks|implications)))?$/,
  ],
  [
    'decision',
    /^(?:the |our |final |proposed |existing |architectural |current |chosen |historical |original |the existing |the final )*(?:decisions?|decision outcome|outcome|proposal|resolution|verdict|conclusion|(?:chosen|preferred|selected|recommended) (?:option|solution|alternative)|solution|recommendation|agreement|what's proposed|what is proposed|what we decided|what was decided|what we will do|decision made|decision taken|decision and (?:rationale|justification|reasoning|reasons?)|(?:wh\(y\) |y )?decision statement|y-statement)$/,
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
