// The words for taking another record's place: one list for every place that they are read from.

/** With the spellings that people have for it. */
export const superseded = '(?:super[sc]e+ded|replaced|overridden|supplanted|obsoleted|made obsolete)'
export const supersedes = '(?:super[sc]e+d(?:e?s|ing)|replaces|obsoletes)'
/** "Superseded in part by", "superseded (2021-01-01) by". */
export const supersededBy = `${superseded}(?: (?:in part|partly|partially|(?:on )?\\(?\\d[\\d./-]{3,9}\\)?))* (?:by|with)`

/** Which of the two takes the other's place. Null for verbs that relate records in another way. */
export function directionOf(verb: string): 'supersedes' | 'supersededBy' | null {
  if (forward.test(verb)) return 'supersedes'
  return backward.test(verb) ? 'supersededBy' : null
}

const forward = new RegExp(`^${supersedes}$`, 'i')
const backward = new RegExp(`^(?:(?:is|was|has been) )?${supersededBy}$`, 'i')
