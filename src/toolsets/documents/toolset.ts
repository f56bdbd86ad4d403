import { indexNote } from '../../answer/notes/answer-notes.js'
import { defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import type { DocumentsServices } from '../../server/fields.js'
import { findRelatedTool } from './tools/find-related.js'
import { getDocumentTool, getOutlineTool, getSectionTool } from './tools/get-document.js'
import { listCollectionsTool, listDocumentsTool } from './tools/list.js'
import { searchBatchTool, searchTool } from './tools/search.js'

export const documentsToolset = defineToolset<DocumentsServices>({
  name: 'documents',
  title: 'Documents',
  purpose: 'Browse, search and read the collections of documentation, whole or by section.',
  errorShape: errorShapes.documents,
  note: async ({ library }, _args, { isNothing }) => (isNothing ? indexNote(library, true) : null),
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
