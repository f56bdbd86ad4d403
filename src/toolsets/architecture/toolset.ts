import { defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import { checkAdrAlignmentTool } from './tools/check-adr-alignment.js'
import type { ArchitectureServices } from './tools/fields.js'
import { architecturePrompts } from './tools/prompts.js'
import { architectureResources } from './tools/resources.js'
import { searchArchitectureTool } from './tools/search-architecture.js'
import { validateAgainstPatternTool } from './tools/validate-against-pattern.js'

export const architecture = defineToolset<ArchitectureServices>({
  name: 'architecture',
  title: 'Architecture',
  purpose: 'Find guidelines, patterns and decisions, and hold code and plans against them.',
  errorShape: errorShapes.architecture,
  tools: [validateAgainstPatternTool, searchArchitectureTool, checkAdrAlignmentTool],
  resources: architectureResources,
  prompts: architecturePrompts,
})
