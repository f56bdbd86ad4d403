// The months by the beginnings of their names in the languages that records are written in.
const months = [
  'jan|ene(?=ro)|gen(?=naio)|sty(?=cz)|янв',
  'feb|fev(?=ereiro)|fév(?=rier)|lut(?=ego|y)|фев',
  // "Marked", "decided" and "declined" are no months.
  'mar(?!k)|mär(?=z)|maa(?=rt)|мар',
  'apr|abr(?=il)|avr(?=il)|kwi(?=e)|апр',
  'may|mai(?=o?(?!\\p{L}))|mag(?=gio)|maj(?=a?(?!\\p{L}))|mei(?!\\p{L})|ма[йя]',
  'jun|juin|giu(?=gno)|cze(?=rw)|июн',
  'jul|jui(?=llet)|lug(?=lio)|lip(?=ca|iec)|июл',
  'aug|ago(?=sto)|ao[uû](?=t)|sie(?=rp)|авг',
  'sep|set(?=tembre|embro)|wrz(?=e)|сен',
  'oct|okt|out(?=ubro)|ott(?=obre)|paź|окт',
  'nov|lis(?=top)|ноя',
  'dec(?![il])|dez(?=em)|déc(?=em)|dic(?=iem|em)|gru(?=d)|дек',
]

/** One group: the name of a month. */
export const month = `(?<!\\p{L})((?:${months.join('|')})\\p{L}{0,9})\\.?`

/** `07` of "July". */
export function monthOf(name: string): string {
  const at = months.findIndex((beginning) => new RegExp(`^(?:${beginning})`, 'iu').test(name))
  return String(at + 1).padStart(2, '0')
}
