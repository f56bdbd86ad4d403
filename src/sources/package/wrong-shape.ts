import type { z } from 'zod'

/** What is wrong with a file that somebody wrote, in sentences: the first few places. */
export function wrongShape({ issues }: z.ZodError): string {
  return issues.slice(0, 3).map(sentence).join(' ')
}

function sentence({ path, message }: z.core.$ZodIssue): string {
  const what = message.replace(/^Invalid input(?:: |$)/, '').replace('received undefined', 'got nothing')
  const name = path.length > 0 ? `"${path.join('.')}"` : 'It'
  return `${name} is wrong${what && `: ${what}`}.`
}
