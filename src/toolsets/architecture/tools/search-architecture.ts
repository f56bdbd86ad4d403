import { z } from 'zod'
import { kindNamed } from '../../../answer/architecture/places.js'
import { defineTool } from '../../../server/define.js'
import { filterFields, filtersOf, noted, rounded } from '../../../server/fields.js'
import { truncate } from '../../../text/truncate.js'
import { type ArchitectureFindings, searchArchitecture } from '../search.js'
import { type ArchitectureServices, inWorkflow, showWorkflow, workflowField, workflowId } from './fields.js'

const longestExcerpt = 500

export const searchArchitectureTool = defineTool({
  name: 'search-architecture',
  title: 'Search architecture',
  summary: 'Finds guidelines, patterns and decisions (ADRs) that bear on a question, best first.',
  effect: 'read',
  input: z.object({
    query: z.string().min(1).max(500).describe('What to look for'),
    resource_type: z
      .enum(['guidelines', 'patterns', 'adr', 'all', 'guideline', 'pattern'])
      .default('all')
      .describe('Only these'),
    max_results: z.int().min(1).max(20).default(10).describe('Most results'),
    workflow_id: workflowId,
    path: filterFields.path,
    since: filterFields.since,
    weak: filterFields.weak,
  }),
  output: z.object({
    results: z.array(
      z.object({
        uri: z.string(),
        title: z.string(),
        resource_type: z.string(),
        relevance_score: z.number(),
        excerpt: z.string(),
        /** For the documents tools. */
        collection: z.string(),
        document: z.string(),
        lines: z.array(z.int()),
        status: z.string().optional(),
        superseded_by: z.array(z.string()).optional(),
      }),
    ),
    total_matches: z.int(),
    note: z.string().optional(),
    workflow: workflowField,
  }),
  examples: [
    { title: 'A question', args: { query: 'which database do we use', max_results: 3 } },
    {
      title: 'Only patterns',
      args: { query: 'retry a failed call', resource_type: 'patterns', max_results: 2 },
    },
  ],
  run: (
    { library }: ArchitectureServices,
    { query, resource_type, max_results, workflow_id, ...rest },
    { signal },
  ) =>
    inWorkflow(
      library,
      workflow_id,
      'search-architecture',
      () =>
        searchArchitecture(library, {
          query,
          kind: resource_type === 'all' ? null : kindNamed(resource_type),
          limit: max_results,
          filters: filtersOf(rest),
          weak: rest.weak,
          signal,
        }),
      ({ results, total }) => `"${query}": ${total} matches, best ${results[0]?.document.uri ?? 'none'}`,
      showFindings,
    ),
  view: ({ workflow, ...found }) => ({ ...showFindings(found), ...showWorkflow(workflow) }),
})

function showFindings({ results, total, notes }: ArchitectureFindings) {
  return {
    results: results.map(({ document, score, excerpt, lines }) => ({
      uri: document.uri,
      title: document.title,
      resource_type: document.kind as string,
      relevance_score: rounded(score),
      excerpt: truncate(excerpt, longestExcerpt),
      collection: document.source.name,
      document: document.ref.path,
      lines,
      ...(document.status ? { status: document.status } : {}),
      ...(document.supersededBy.length > 0 ? { superseded_by: document.supersededBy } : {}),
    })),
    total_matches: total,
    ...noted(notes),
  }
}
