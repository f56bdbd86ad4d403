import type { BrokenRule, Rule } from '../../model/rule.js'
import { blockTokens } from '../markdown-blocks.js'
import { isBroken, readRule } from './read-rule.js'

export interface RuleBlocks {
  rules: Rule[]
  broken: BrokenRule[]
}

/** The fenced `rule` (or `rules`) blocks of a Markdown text, in order. A second rule by one name is broken: results name rules. */
export function readRules(text: string): RuleBlocks {
  const found: RuleBlocks = { rules: [], broken: [] }
  if (!/^[ \t>*+\d.)-]*(?:`{3}|~{3})/m.test(text) || !text.includes('rule')) return found
  for (const token of blockTokens(text, 'markdown').tokens) {
    if (token.type !== 'fence' || !/^rules?(?:\s|$)/i.test(token.info.trim())) continue
    const rule = readRule(token.content, (token.map?.[0] ?? 0) + 1)
    if (isBroken(rule)) found.broken.push(rule)
    else if (found.rules.some(({ id }) => id === rule.id))
      found.broken.push({ id: rule.id, line: rule.line, reason: `Two rules here have the id "${rule.id}".` })
    else found.rules.push(rule)
  }
  return found
}
