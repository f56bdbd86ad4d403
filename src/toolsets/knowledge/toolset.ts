import { indexNote } from '../../answer/notes/answer-notes.js'
import { defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import { crawlWebsite } from './tools/crawl-website.js'
import type { KnowledgeServices } from './tools/fields.js'
import { manageCrawlJob } from './tools/manage-crawl-job.js'
import { manageDocument } from './tools/manage-document.js'
import { manageSource } from './tools/manage-source.js'
import { searchKnowledgeBase } from './tools/search-knowledge-base.js'

export const knowledge = defineToolset<KnowledgeServices>({
  name: 'knowledge',
  title: 'Knowledge base',
  purpose: 'Keep files and web sites as sources of knowledge, and search them together with everything else.',
  errorShape: errorShapes.knowledge,
  note: async ({ library }, { action }) => (action === 'list' ? indexNote(library, false) : null),
  tools: [searchKnowledgeBase, manageDocument, manageSource, crawlWebsite, manageCrawlJob],
})
