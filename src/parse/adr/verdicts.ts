// What a list of options says of one of them: that it was taken or turned down.

export interface Verdict {
  outcome: 'chosen' | 'rejected'
  /** Where the words begin that say so. */
  at: number
  because: string | null
}

/** "Hooks. Rejected: they grow", "Types (preferred)", "Redis ✅", "自研（已选）". Null where nothing is said. */
export function verdictIn(text: string): Verdict | null {
  const found = forms
    .map(({ outcome, pattern }) => ({ outcome, match: pattern.exec(text) }))
    .filter(({ match }) => match)
    .sort((a, b) => a.match!.index - b.match!.index)[0]
  if (!found) return null
  const at = found.match!.index
  const because = text.slice(at).replace(/^[^\p{L}\p{N}]*\p{L}+(?: for now)?[^\p{L}\p{N}]*/u, '')
  return { outcome: found.outcome, at, because: /\p{L}/u.test(because) ? because.trim() : null }
}

/** Words alone, as in the cell of a table. */
export function verdictOf(text: string): Verdict['outcome'] | null {
  return verdictIn(`: ${text}`)?.outcome ?? null
}

const refused =
  'rejected|refused|declined|discarded|dismissed|not chosen|ruled out|verworfen|abgelehnt|ausgeschlossen|écartée?s?|rejetée?s?|non retenue?s?|descartad[oa]s?|rechazad[oa]s?|rejeitad[oa]s?|scartat[oaei]|odrzucon\\p{L}+|отклон[её]н\\p{L}*|отвергнут\\p{L}*'
const taken =
  'gewählt|ausgewählt|retenue?s?|choisie?s?|elegid[oa]s?|seleccionad[oa]s?|escolhid[oa]s?|selecionad[oa]s?|scelt[oa]|selezionat[oa]|wybran\\p{L}+|выбран\\p{L}*|принят\\p{L}*'
const refusedSigns = '(?:被|已)?(?:否决|拒绝)|[不未](?:采用|采纳|採用)|却下|기각|否'
const takenSigns = '(?:本次|已)?(?:采纳|采用|选定|选择)|已选|採用(?:済み)?|채택|선택'

// One that is not there costs a search from every mark of a row of them.
const mark = '(?<![\\s.(（:：;,·–—-])[\\s.(（:：;,·–—-]+'
/** In other languages a word may well go on: "elegida por el cliente". */
const ends = '(?=\\s*(?:[).,;:–—-]|$))'
const closed = '(?=\\s*(?:[)）。.;；—–]|$))'

const forms: readonly { outcome: Verdict['outcome']; pattern: RegExp }[] = [
  { outcome: 'rejected', pattern: new RegExp(`${mark}(?:${refused})(?!\\p{L})`, 'iu') },
  { outcome: 'rejected', pattern: new RegExp(`${mark}(?:${refusedSigns})${closed}`, 'u') },
  {
    outcome: 'chosen',
    pattern: new RegExp(`${mark}(?:chosen|selected|preferred|picked|recommended)(?!\\p{L})`, 'iu'),
  },
  { outcome: 'chosen', pattern: new RegExp(`${mark}(?:${taken})${ends}`, 'iu') },
  { outcome: 'chosen', pattern: new RegExp(`${mark}(?:✅\\s*)?(?:${takenSigns})${closed}`, 'u') },
  { outcome: 'chosen', pattern: /(?<!\s)\s*[✅☑✔🏆]\uFE0F?\s*$/u },
]
