// The shapes of answers that the tools share.
import { z } from 'zod'
import type { Library } from '../../../answer/library.js'
import type { Versioned } from '../nodes.js'

export interface GraphServices {
  library: Library
}

const linkInfo = z.object({ id: z.string(), title: z.string() })

export const node = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  links: z.array(linkInfo),
})

export const singleNode = node.extend({
  version: z.string(),
  frontmatter: z.looseObject({}).optional(),
  _warnings: z.array(z.string()).optional(),
})

export const neighbour = node.extend({
  direction: z.enum(['in', 'out', 'both']),
  context: z.string().optional(),
})

/** Warnings stand last, and only when there are any. */
export function viewOf<T extends Versioned>({ warnings, ...rest }: T) {
  return { ...rest, ...(warnings.length > 0 && { _warnings: warnings }) }
}

// Longer than any path of a file system. A longer id is a miss at once, without being read.
const longestId = 20_000

export const id = (what: string) => z.string().min(1).max(longestId).describe(what)

export const includeContent = z.boolean().default(true).describe('false leaves the texts out')

export const context = z.boolean().default(false).describe('Add the sentence around each link')

export const tags = z.array(z.string().max(1000)).max(100)
