import { defineToolset } from '../define.js'
import { errorShapes } from '../error-shapes.js'
import { checkAdrAlignmentTool } from './check-adr-alignment.js'
import type { ArchitectureServices } from './fields.js'
import { architecturePrompts } from './prompts.js'
import { architectureResources } from './resources.js'
import { searchArchitectureTool } from './search-architecture.js'
import { validateAgainstPatternTool } from './validate-against-pattern.js'

export const architecture = defineToolset<ArchitectureServices>({
  name: 'architecture',
  title: 'Architecture',
  purpose: 'Find guidelines, patterns and decisions, and hold code and plans against them.',
  errorShape: errorShapes.architecture,
  tools: [validateAgainstPatternTool, searchArchitectureTool, checkAdrAlignmentTool],
  resources: architectureResources,
  prompts: architecturePrompts,
})
