// How a decision says in other languages than English which option it takes.

/** What the choice is said to be: the words that may name an option. Null where nothing is chosen, or something held back. */
export function chosenAbroad(text: string): string | null {
  for (const form of forms) {
    const found = form.exec(text)
    if (!found) continue
    const said = found[1] ?? text.slice(found[0].length)
    return holdsBack.test(said.split(reason)[0]!) ? null : said
  }
  return null
}

/** Where the reason begins: "weil", "parce que", "потому что". */
export const reason =
  /[,;:.\s](?:because|since|as it|due to|weil|parce que|car|porque|perché|poiché|ponieważ|потому что|так как)\s+|因为|由于/iu

const start = '^[^\\p{L}\\p{N}]*'
const labels =
  '(?:gewählte|ausgewählte|bevorzugte) (?:option|alternative|lösung|variante)|(?:option|solution|alternative) (?:retenue|choisie|sélectionnée)|(?:opción|alternativa|solución) (?:elegida|escogida|seleccionada)|(?:opção|alternativa|solução) (?:escolhida|selecionada)|(?:opzione|alternativa|soluzione) scelta|gekozen (?:optie|oplossing)|wybrana (?:opcja|alternatywa)|wybrane rozwiązanie|выбран(?:ный|о)? (?:вариант|решение)|(?:所选|选定的?|选择的?|最终)(?:选项|方案)|(?:選択した|採用した)(?:選択肢|オプション|案)|(?:선택한?|선택된|채택된?) ?(?:옵션|대안|안)'

const forms = [
  new RegExp(`${start}(?:${labels})\\s*[:：–—-]?\\s*`, 'iu'),
  new RegExp(`${start}(?:我们)?(?:决定)?(?:采用|采纳|选择|选用|选定)[\\s:：*]*`, 'u'),
  new RegExp(`${start}(?:wir haben uns|das team hat sich) für (.{1,200}?) entschieden`, 'iu'),
  new RegExp(
    `${start}(?:wir (?:verwenden|nutzen|wählen|setzen auf)|nous (?:choisissons|retenons|utilisons|adoptons)|(?:usaremos|utilizaremos|elegimos|adoptamos|adotamos|escolhemos)|(?:scegliamo|useremo|adottiamo)|(?:wybieramy|używamy)|(?:используем|выбираем|выбран[аоы]?))\\s+`,
    'iu',
  ),
  new RegExp(`${start}(.{1,200}?)\\s*を(?:採用|選択|選定)(?:する|した|します)`, 'u'),
  new RegExp(`${start}(.{1,200}?)(?:을|를|으로|로) ?(?:채택|선택|선정)(?:한다|합니다|했다|함)`, 'u'),
]

/** A choice that is none: it turns down, or takes something else than what it names. */
const holdsBack =
  /(?<!\p{L})(?:nicht|nie|kein\p{L}*|statt|anstatt|ohne|pas|plus|jamais|sans|au lieu|no|nunca|sin|en lugar|en vez|não|sem|em vez|non|senza|invece|bez|zamiast|не|нет|без|вместо)(?!\p{L})|不|没有|而不是|しない|않/iu
