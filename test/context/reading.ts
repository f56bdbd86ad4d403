import type { z } from 'zod'
import { defineToolset } from '../../src/server/define.js'
import { errorShapes } from '../../src/server/error-shapes.js'
import type { ContextServices } from '../../src/toolsets/context/tools/services.js'
import { readFileTool } from '../../src/toolsets/context/toolset.js'

/** read_file alone, as the context toolset offers it. */
export const reading = defineToolset<ContextServices>({
  name: 'context',
  title: 'Context',
  purpose: 'For tests.',
  errorShape: errorShapes.context,
  tools: [readFileTool],
})

export type FileAnswer = z.output<typeof readFileTool.output>
