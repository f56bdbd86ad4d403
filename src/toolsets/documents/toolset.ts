import { defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import type { DocumentsServices } from '../../server/fields.js'
import { whatIndexLacks } from '../../server/note.js'
import { findRelatedTool } from './tools/find-related.js'
import { getDocumentTool } from './tools/get-document.js'
import { getOutlineTool } from './tools/get-outline.js'
import { getSectionTool } from './tools/get-section.js'
import { listCollectionsTool } from './tools/list-collections.js'
import { listDocumentsTool } from './tools/list-documents.js'
import { searchTool } from './tools/search.js'
import { searchBatchTool } from './tools/search-batch.js'

export const documentsToolset = defineToolset<DocumentsServices>({
  name: 'documents',
  title: 'Documents',
  purpose: 'Browse, search and read the collections of documentation, whole or by section.',
  errorShape: errorShapes.documents,
  beside: async ({ library }, _args, { isNothing }) => (isNothing ? whatIndexLacks(library, true) : null),
  tools: [
    listCollectionsTool,
    searchTool,
    getDocumentTool,
    listDocumentsTool,
    getOutlineTool,
    getSectionTool,
    searchBatchTool,
    findRelatedTool,
  ],
})
