import { defineToolset } from '../define.js'
import { errorShapes } from '../error-shapes.js'
import { grepCodebase } from './grep-codebase.js'
import { recordDiscovery } from './record-discovery.js'
import { contextResources } from './resources.js'
import { contextSearch } from './search.js'
import type { ContextServices } from './services.js'

export const context = defineToolset<ContextServices>({
  name: 'context',
  title: 'Project memory and code',
  purpose:
    'Find what was learned about the project in earlier sessions, search its code, and record discoveries.',
  errorShape: errorShapes.context,
  // What records comes first, so that the examples behind it find something.
  tools: [recordDiscovery, contextSearch, grepCodebase],
  resources: contextResources,
})
