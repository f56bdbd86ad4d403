import { defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import { grepCodebase } from './tools/grep-codebase.js'
import { readFileTool } from './tools/read-file.js'
import { recordDiscovery } from './tools/record-discovery.js'
import { contextResources } from './tools/resources.js'
import { contextSearch } from './tools/search.js'
import type { ContextServices } from './tools/services.js'

export const context = defineToolset<ContextServices>({
  name: 'context',
  title: 'Project memory and code',
  purpose:
    'Find what was learned about the project in earlier sessions, search and read its code, and record discoveries.',
  errorShape: errorShapes.context,
  // What records comes first, so that the examples behind it find something.
  tools: [recordDiscovery, contextSearch, readFileTool, grepCodebase],
  resources: contextResources,
})
