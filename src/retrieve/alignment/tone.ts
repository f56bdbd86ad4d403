// How a proposal is put, whatever it is about: somebody who goes back, makes an exception or has had enough rarely agrees.
import { talk, thought } from './cues.js'
import type { Proposal } from './prepared.js'

export function toneOf(text: string, { stances }: Proposal): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [name, cue] of Object.entries(cues)) found[`tone: ${name}`] = cue.test(text) ? 1 : 0
  const onlyTalks = stances.every(({ side }) => side === 0) || talk.test(text) || thought.test(text)
  found['tone: talk'] = onlyTalks ? 1 : 0
  found['tone: refusal'] = stances.some(({ side }) => side < 0) ? 1 : 0
  found['tone: length'] = Math.min(3, text.split(/\s+/).length / 10)
  found['tone: clauses'] = Math.min(4, stances.length) / 2
  return found
}

export function isLoose(text: string): boolean {
  return /\b(?:may|can|could|let|lets|allow|permit|optional|needn't|whatever|whichever|wherever|some|if they|where it|in part|partly|first|later)\b/i.test(
    text,
  )
}

export function isStrict(text: string): boolean {
  return /\b(?:must|only|always|every|all|never|any|strictly|will not|ensure)\b/i.test(text)
}

/** Nothing about it holds back: no exception, no permission, no going back, nothing beside or instead. */
export function isUnreserved({
  text,
  tone,
}: {
  text: string
  tone: Readonly<Record<string, number>>
}): boolean {
  return !reservations.some((name) => tone[`tone: ${name}`]) && !elsewhere.test(text)
}

const reservations = [
  'contrast',
  'again',
  'no more',
  'alone',
  'whatever',
  'directly',
  'themselves',
  'own',
  'goes on',
  'complaint',
  'may',
  'let',
]
const elsewhere =
  /\b(?:outside|separate(?:ly)?|another|others?|different(?:ly)?|else|besides?|instead|except|first|later|copy|copies|unless|until|although|though|while|partly|temporar(?:y|ily))\b/i

const cues = {
  contrast: /\b(?:instead of|rather than|in place of|over|not|without|but|however|no need)\b/i,
  again:
    /\b(?:again|back|return to|returning to|revert|restore|reinstate|bring back|go on|carry on|continue|keep on|stay|stays|still|remain|remains|as before|as they do now|already|once more|after all)\b/i,
  keep: /\b(?:keep|keeps|leave|leaves|left)\b/i,
  'no more':
    /\b(?:no longer|no more|stop|drop|retire|remove|uninstall|abandon|ditch|scrap|get rid|skip|done with|enough|needn't|need not|don't need|no need|give up|turn off|switch off|delete|isn't worth|undo)\b/i,
  change:
    /\b(?:replace|switch|move|migrate|swap|change|convert|turn into|rename|rewrite|split|merge|fold|widen|raise|lower|lock|put)\b/i,
  wish: /\b(?:i'd like|i want|let's|we'd rather|i suggest|i propose|we want|should)\b/i,
  alone: /\b(?:alone|only|exclusively|solely|nothing else|nobody else|nowhere else)\b/i,
  whatever:
    /\b(?:whatever|whichever|whoever|wherever|whenever|anything|any|as they (?:like|please)|regardless)\b/i,
  directly: /\b(?:directly|straight|simply|just|plain|raw|bare|ordinary)\b/i,
  themselves: /\b(?:themselves|ourselves|itself|himself|herself|by hand|manual(?:ly)?)\b/i,
  own: /\bown\b/i,
  'goes on':
    /\b(?:go(?:es)? on|carr(?:y|ies) on|continues? to|keep on|stick with|stay(?:s)? (?:on|with|in)|remain(?:s)?|as (?:always|before|ever|usual|today)|already|still)\b/i,
  complaint:
    /\b(?:too \w+|enough|plenty|not worth|isn't worth|matter of taste|slow(?:s)? us|painful|hard|brings nothing|overkill|unnecessary|no need|needn't|not needed|doesn't matter|isn't needed)\b/i,
  may: /\b(?:may|can)\b/i,
  let: /^(?:let|allow|permit|give)\b/i,
  must: /\b(?:must|have to|has to|always|every|all)\b/i,
  new: /\b(?:new|next)\b/i,
} as const
