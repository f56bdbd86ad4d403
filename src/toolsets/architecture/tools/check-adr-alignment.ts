import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { noted } from '../../../server/fields.js'
import type { AlignedDecision, Alignment } from '../alignment.js'
import { reasonOf, suggestionsOf } from '../alignment-text.js'
import { type ArchitectureServices, inWorkflow, showWorkflow, workflowField, workflowId } from './fields.js'

export const checkAdrAlignmentTool = defineTool({
  name: 'check-adr-alignment',
  title: 'Check a proposal against decisions',
  summary:
    'Compares a proposed decision with the recorded ones (ADRs): which it supports, which it contradicts (both sentences quoted), which are related. Superseded records name their successor.',
  effect: 'read',
  input: z.object({
    decision_description: z.string().min(1).max(5_000).describe('What is proposed'),
    decision_context: z.string().max(2_000).optional().describe('The problem it addresses'),
    workflow_id: workflowId,
  }),
  output: z.object({
    related_adrs: z.array(
      z.object({
        uri: z.string(),
        title: z.string(),
        adr_id: z.string(),
        status: z.string(),
        alignment: z.enum(['supports', 'conflicts', 'related']),
        reason: z.string(),
        rule: z.string().optional(),
        proposal_says: z.string().optional(),
        decision_says: z.string().optional(),
        line: z.int().optional(),
        relevance_score: z.number(),
        superseded_by: z.array(z.string()).optional(),
        /** For the documents tools. */
        collection: z.string(),
        document: z.string(),
      }),
    ),
    conflicts: z.array(z.object({ adr_uri: z.string(), conflict_description: z.string() })),
    suggestions: z.array(z.string()),
    note: z.string().optional(),
    workflow: workflowField,
  }),
  examples: [
    {
      title: 'An option that was turned down',
      args: { decision_description: 'Offer a GraphQL endpoint in the public API.' },
    },
    {
      title: 'The same choice',
      args: {
        decision_description: 'We will sign webhooks with HMAC.',
        decision_context: 'Partners have to know that a call really comes from us.',
      },
    },
    {
      title: 'A decision that was superseded',
      args: { decision_description: 'Poll the store every half second for due work.' },
    },
  ],
  run: (
    { library }: ArchitectureServices,
    { decision_description, decision_context, workflow_id },
    { signal },
  ) =>
    inWorkflow(
      library,
      workflow_id,
      'check-adr-alignment',
      async () => {
        const { checkAlignment } = await import('../alignment.js')
        return checkAlignment(library, {
          description: decision_description,
          context: decision_context,
          signal,
        })
      },
      summarize,
      showAlignment,
    ),
  view: ({ workflow, ...alignment }) => ({ ...showAlignment(alignment), ...showWorkflow(workflow) }),
})

function summarize({ decisions }: Alignment): string {
  const conflicts = decisions.filter(({ alignment }) => alignment === 'conflicts')
  const uris = conflicts.map(({ decision }) => decision.document.uri).join(', ')
  return `${decisions.length} related decisions, ${conflicts.length} conflicts${uris && `: ${uris}`}`
}

function showAlignment(alignment: Alignment) {
  const conflicts = alignment.decisions.filter((one) => one.alignment === 'conflicts')
  return {
    related_adrs: alignment.decisions.map(showDecision),
    conflicts: conflicts.map((one) => ({
      adr_uri: one.decision.document.uri,
      conflict_description: reasonOf(one),
    })),
    suggestions: suggestionsOf(alignment),
    ...noted(alignment.notes),
  }
}

function showDecision(aligned: AlignedDecision) {
  const { decision, alignment, evidence, score, successors } = aligned
  const { document } = decision
  return {
    uri: document.uri,
    title: decision.title,
    adr_id: decision.id,
    status: document.status ?? decision.status,
    alignment,
    reason: reasonOf(aligned),
    ...(evidence && alignment !== 'related'
      ? {
          rule: evidence.rule as string,
          proposal_says: evidence.proposal,
          decision_says: evidence.decision,
          line: evidence.line,
        }
      : {}),
    relevance_score: Math.round(score * 10_000) / 10_000,
    ...(successors.length > 0 ? { superseded_by: successors.map((one) => one.document.uri) } : {}),
    collection: document.source.name,
    document: document.ref.path,
  }
}
