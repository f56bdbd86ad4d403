import { whatIndexLacks } from '../beside.js'
import { defineToolset } from '../define.js'
import { errorShapes } from '../error-shapes.js'
import { crawlWebsite } from './crawl-website.js'
import type { KnowledgeServices } from './fields.js'
import { manageCrawlJob } from './manage-crawl-job.js'
import { manageDocument } from './manage-document.js'
import { manageSource } from './manage-source.js'
import { searchKnowledgeBase } from './search-knowledge-base.js'

export const knowledge = defineToolset<KnowledgeServices>({
  name: 'knowledge',
  title: 'Knowledge base',
  purpose: 'Keep files and web sites as sources of knowledge, and search them together with everything else.',
  errorShape: errorShapes.knowledge,
  beside: async ({ library }, { action }) => (action === 'list' ? whatIndexLacks(library, false) : null),
  tools: [searchKnowledgeBase, manageDocument, manageSource, crawlWebsite, manageCrawlJob],
})
