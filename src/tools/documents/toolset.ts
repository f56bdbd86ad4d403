import { whatIndexLacks } from '../beside.js'
import { defineToolset } from '../define.js'
import { errorShapes } from '../error-shapes.js'
import type { DocumentsServices } from './fields.js'
import { findRelatedTool } from './find-related.js'
import { getDocumentTool } from './get-document.js'
import { getOutlineTool } from './get-outline.js'
import { getSectionTool } from './get-section.js'
import { listCollectionsTool } from './list-collections.js'
import { listDocumentsTool } from './list-documents.js'
import { searchTool } from './search.js'
import { searchBatchTool } from './search-batch.js'

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
