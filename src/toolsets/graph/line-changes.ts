import { linesOf } from '../../text/lines.js'
import type { LinkChange } from './rename-plan.js'

const mostLines = 100

/** Lines that differ, paired after the common start and end are set aside. */
export function lineChanges(before: string, after: string): LinkChange[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const count = Math.max(old.length, now.length) - start - end
  return Array.from({ length: Math.min(count, mostLines) }, (_, i) => ({
    line: start + i + 1,
    before: start + i < old.length - end ? old[start + i]! : '',
    after: start + i < now.length - end ? now[start + i]! : '',
  })).filter((change) => change.before !== change.after)
}
