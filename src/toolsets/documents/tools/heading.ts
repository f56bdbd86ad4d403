import { z } from 'zod'
import type { Section } from '../../../model/document.js'

export const heading = z.object({ level: z.int(), text: z.string(), line: z.int() })

export function showHeading({ level, text, line }: Section): z.input<typeof heading> {
  return { level, text, line }
}
