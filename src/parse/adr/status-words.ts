// Words for a status in languages other than English.

/** A status with the words that say it in English, so that all else need not know other languages. */
export function inEnglish(status: string): string {
  if (!/[^\s\p{P}\p{S}\d]/u.test(status)) return status
  const relating = relations.reduce((text, [words, english]) => text.replace(words, english), status)
  for (const [words, english] of statuses) {
    const found = words.exec(relating)
    if (found) return `${found[1]}${english}${relating.slice(found[0].length)}`
  }
  return relating
}

/** Whole words. `\b` would end a word at every letter with an accent. */
function words(alternatives: string): string {
  return `(?<![\\p{L}])(?:${alternatives})(?![\\p{L}])`
}

// In Chinese the other record comes between the words, in Japanese before them.
const relations: readonly [RegExp, string][] = [
  [/(?:已|已经)?被\s*(.{1,300}?)\s*(?:所)?(?:取代|替代|替换|代替)/u, 'superseded by $1'],
  [/^(.{1,300}?)\s*(?:によって|により|に)\s*置き換え\p{L}*/u, 'superseded by $1'],
  [
    new RegExp(
      words(
        '(?:ersetzt|abgelöst|überholt) durch|remplacée? par|(?:reemplazad|sustituid)[oa] por|substitu[ií]d[oa] p(?:or|el[oa])|(?:sostituit|superat)[oa] d(?:a|al|alla)|vervangen door|zastąpion[aey] przez|замен(?:е|ё)н[оаы]? (?:на|решением)',
      ),
      'giu',
    ),
    'superseded by',
  ],
  [
    // "Ersetzt" alone says that a record was replaced, and before a name that it replaces another.
    new RegExp(
      words(
        'ersetzt(?= [^.;,]*\\d)|remplace|reemplaza(?: a)?|sustituye(?: a)?|substitui|sostituisce|vervangt|zastępuje|заменяет',
      ),
      'giu',
    ),
    'supersedes',
  ],
]

const opening: readonly [english: string, words: string, signs: string][] = [
  [
    'accepted',
    'angenommen|akzeptiert|beschlossen|genehmigt|entschieden|gültig|in kraft|en vigueur|vigente|acceptée?|adoptée?|approuvée?|validée?|(?:acepta|aproba|adopta)d[oa]|aceit[oae]|(?:aprova|adota)d[oa]|(?:accetta|approva|adotta)t[oa]|geaccepteerd|aanvaard|goedgekeurd|zaakceptowan[aeoy]|przyjęt[aeoy]|принят[оаы]?|утвержд[её]н[оаы]?|действует',
    '已?(?:接受|采纳|采用|批准|通过|採納)|承認|採択|採用|승인|채택|수락',
  ],
  [
    'proposed',
    'vorgeschlagen|vorschlag|in diskussion|proposée?|en discussion|propuest[oa]|propost[oa]|voorgesteld|zaproponowan[aeoy]|предложен[оаы]?|на рассмотрении',
    '已?(?:提议|提出|提議)|提案|待定|제안',
  ],
  ['draft', 'entwurf|brouillon|borrador|rascunho|bozza|szkic|черновик', '草案|草稿|下書き|ドラフト|초안'],
  [
    'rejected',
    'abgelehnt|verworfen|rejetée?|refusée?|rechazad[oa]|rejeitad[oa]|respint[oa]|rifiutat[oa]|afgewezen|verworpen|odrzucon[aeoy]|отклон[её]н[оаы]?|отвергнут[оаы]?',
    '已?(?:拒绝|否决|驳回|拒絕)|却下|不採用|거부|기각',
  ],
  [
    'deprecated',
    'veraltet|überholt|zurückgezogen|obsolète|dépréciée?|abandonnée?|obsolet[oa]|(?:descontinua|deprecia)d[oa]|deprecat[oa]|verouderd|vervallen|przestarzał[aey]|устарел[оаи]?',
    '已?(?:废弃|弃用|过时|作废|廢棄)|非推奨|廃止|폐기',
  ],
  [
    'superseded',
    'ersetzt|abgelöst|remplacée?|(?:reemplazad|sustituid)[oa]|substitu[ií]d[oa]|sostituit[oa]|vervangen|zastąpion[aeoy]|замен[её]н[оаы]?',
    '已?(?:取代|替代|替换)|置き換え',
  ],
]

// Chinese, Japanese and Korean write no space behind the word.
const statuses = opening.map(
  ([english, latin, signs]) =>
    [new RegExp(`^([^\\p{L}]*)(?:${words(latin)}|(?:${signs})\\p{L}*)`, 'iu'), english] as const,
)

// The words for taking another record's place: one list for every place that they are read from.

/** With the spellings that people have for it. */
export const superseded = '(?:super[sc]e+ded|replaced|overridden|supplanted|obsoleted|made obsolete)'
export const supersedes = '(?:super[sc]e+d(?:e?s|ing)|replaces|obsoletes)'
/** "Superseded in part by", "superseded (2021-01-01) by". */
export const supersededBy = `${superseded}(?: (?:in part|partly|partially|(?:on )?\\(?\\d[\\d./-]{3,9}\\)?))* (?:by|with)`

/** The direction of a verb that supersedes. Null for other relations. */
export function directionOf(verb: string): 'supersedes' | 'supersededBy' | null {
  if (forward.test(verb)) return 'supersedes'
  return backward.test(verb) ? 'supersededBy' : null
}

const forward = new RegExp(`^${supersedes}$`, 'i')
const backward = new RegExp(`^(?:(?:is|was|has been) )?${supersededBy}$`, 'i')
