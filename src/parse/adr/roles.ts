// Which part of a record a heading opens. Templates differ in words and agree in parts.

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

/** The role of a heading, and the text after it ("accepted" of "Status: accepted"). */
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

/** Whether a heading is only the name of a part: a title may begin with one ("Decision: use Redis"). */
export function namesPart(heading: string): boolean {
  const { role, rest } = roleOf(heading)
  return role !== null && (role === 'status' || rest === '')
}

/** A heading with two names, or with a remark: "Options / alternatives", "Context (why now)", "결정 (decision)". */
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

// The headings of a record's parts in other languages than English, in lower case and without numbers and marks.

/** The part that a heading translatedNames. */
function translatedRole(heading: string): Role | null {
  const known = translatedExact.get(heading)
  if (known) return known
  for (const [role, pattern] of translatedPatterns) if (pattern.test(heading)) return role
  return null
}

const translatedNames: Partial<Record<Role, string>> = {
  status: 'statut, estado, stato, статус, 状态, 狀態, 状態, ステータス, 상태, trạng thái',
  metadata:
    'metadaten, métadonnées, metadatos, metadados, метаданные, 元信息, 元数据, メタデータ, 메타데이터',
  context:
    'kontext, ausgangslage, hintergrund, zusammenhang, problem, problemstellung, problembeschreibung, contexte, problème, problématique, énoncé du problème, contexto, problema, planteamiento del problema, motivación, motivação, contesto, achtergrond, probleemstelling, kontekst, контекст, проблема, постановка проблемы, мотивация',
  decision:
    'entscheidung, entscheidungen, getroffene entscheidung, entscheidungsergebnis, ergebnis, beschluss, décision, décisions, décision retenue, décision prise, solution retenue, résultat de la décision, decisión, decisiones, decisión tomada, resultado de la decisión, decisão, decisões, decisão tomada, decisão proposta, resultado da decisão, decisione, decisioni, esito della decisione, beslissing, besluit, decyzja, decyzje, wynik decyzji, решение, решения, принятое решение, результат решения, результат принятия решения, 决策, 决定, 决策结果, 决策内容, 最终决策, 決策, 決定, 決定事項, 決定内容, 決定結果, 결정, 결정 사항, 결정사항, 결정 내용, 결정 결과',
  consequences:
    'implications, impacts, implicaciones, impacto, impactos, implicações, implicazioni, impatto, impatti, skutki, следствия, 后果, 後果, 影响, 影響, 结果, 結果, 結果・影響, 帰結, 결과, 영향',
  options:
    'optionen, alternativen, opciones, alternativas, opções, opzioni, opties, opcje, alternatywy, варианты, альтернативы, 選択肢, 代替案, 検討案, 대안, 선택지, 옵션',
  drivers:
    'entscheidungstreiber, kriterien, entscheidungskriterien, facteurs de décision, critères, critères de décision, criterios, factores de decisión, critérios, fatores de decisão, criteri, критерии, факторы решения, 决策驱动, 决策驱动因素, 驱动因素, 決定要因, 결정 요인',
  links:
    'verweise, referenzen, références, liens, referencias, enlaces, referências, riferimenti, odnośniki, ссылки, 参考, 参考资料, 相关, 参考資料, 関連, 참고, 참고 자료',
  confirmation:
    'überprüfung, vérification, verificación, verificação, verifica, weryfikacja, проверка, 验证, 検証, 검증',
}

const translatedExact = new Map(
  Object.entries(translatedNames).flatMap(([role, headings]) =>
    headings.split(', ').map((name) => [name.normalize('NFC'), role as Role] as const),
  ),
)

// Headings of several words: "Kontext und Problemstellung", "opciones evaluadas", "背景与问题陈述".
const translatedPatterns: readonly [Role, RegExp][] = [
  [
    'context',
    /^(?:kontext und|contexte et|contexto [ye]|contesto e|context en|kontekst i|контекст и) |^(?:背景|上下文|问题|問題|課題|コンテ[キク]スト|文脈|컨텍스트|맥락|배경)(?:$|[与和及とや・、 ]|(?:陈述|描述|提起|설명)$)/u,
  ],
  [
    'arguments',
    /^(?:vor- und nachteile|avantages et inconvénients|ventajas y (?:desventajas|inconvenientes)|pros y contras|prós e contras|vantagens e desvantagens|vantaggi e svantaggi|pro e contro|voor- en nadelen|zalety i wady|плюсы и минусы|преимущества и недостатки)(?: |$)|优缺点|長所と短所|メリット(?:と|・)デメリット|장단점/u,
  ],
  [
    'options',
    /^(?:betrachtete|berücksichtigte|erwogene|geprüfte|mögliche|verworfene|evaluierte|bewertete) (?:optionen|alternativen|varianten|lösungen)$|^(?:options|alternatives|solutions) (?:envisagées|considérées|étudiées|évaluées|écartées|rejetées|possibles)$|^(?:opciones|opções|alternativas|soluciones|soluções) (?:considerad|evaluad|avaliad|analizad|analisad|descartad|rechazad|rejeitad|posible|possíve)\p{L}*$|^(?:opzioni|alternative) (?:considerate|valutate|scartate|possibili)$|^overwogen (?:opties|alternatieven)$|^(?:rozważan|rozważon|odrzucon)\p{L}+ (?:opcje|alternatywy|warianty|rozwiązania)$|^(?:рассм\p{L}+|отклон\p{L}+|возможные) (?:варианты|альтернативы|решения)$|^(?:已?考虑过?的?|备选|候选|可选|替代|其他|被否决的?)?(?:选项|方案)$|^(?:考慮|検討|却下)\p{L}*(?:選択肢|代替案|案|オプション)$|^(?:고려|검토|기각)\p{L}* (?:옵션|대안|선택지)$/u,
  ],
  [
    'consequences',
    /^(?:\p{L}+ )?(?:konsequenzen|folgen|auswirkungen|gevolgen|konsekwencje|последствия)$|^(?:conséquences|consecuencias|consequências|conseguenze)(?: \p{L}+)?$|^(?:正面|负面|積極|积极|消极|良い|悪い|ポジティブな|ネガティブな)(?:影响|影響|后果|结果|結果)$|^(?:긍정적|부정적)(?:인)? (?:영향|결과)$/u,
  ],
]
