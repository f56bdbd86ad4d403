import type { z } from 'zod'
import { readFileTool } from '../../src/tools/context/read-file.js'
import type { ContextServices } from '../../src/tools/context/services.js'
import { defineToolset } from '../../src/tools/define.js'
import { errorShapes } from '../../src/tools/error-shapes.js'

/** read_file alone, as the context toolset offers it. */
export const reading = defineToolset<ContextServices>({
  name: 'context',
  title: 'Context',
  purpose: 'For tests.',
  errorShape: errorShapes.context,
  tools: [readFileTool],
})

export type FileAnswer = z.output<typeof readFileTool.output>
