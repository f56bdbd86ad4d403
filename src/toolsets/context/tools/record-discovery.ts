import { z } from 'zod'
import { discoveryTypes } from '../../../model/discovery.js'
import { defineTool } from '../../../server/define.js'
import { rememberDiscovery } from '../record-discovery.js'
import { type ContextServices, sessionHandle, sittingOf } from './services.js'

export const recordDiscovery = defineTool({
  name: 'record_discovery',
  title: 'Record a discovery',
  summary:
    'Keep a pattern, rule, decision or issue for later sessions. One that is known already is merged; one it contradicts is marked superseded; secrets are removed.',
  input: z.object({
    type: z.enum(discoveryTypes).describe('Kind of discovery'),
    content: z.string().min(10).max(1_000).describe('One statement that stands on its own'),
    module: z.string().max(200).optional().describe('Module it belongs to, e.g. "auth" for src/auth'),
    session_id: sessionHandle.optional().describe('Session to record it in, from an earlier result'),
  }),
  output: z.object({
    id: z.string(),
    type: z.enum(discoveryTypes),
    content: z.string(),
    module: z.string().nullable(),
    session_id: z.string(),
    date: z.string(),
    state: z.enum(['recorded', 'merged']),
    count: z.number(),
    supersedes: z.array(z.string()),
    redacted: z.boolean(),
  }),
  effect: 'write',
  examples: [
    {
      title: 'A decision about one module',
      args: {
        type: 'decision',
        content: 'Retries of a delivery stop when the retry budget of its channel is spent.',
        module: 'api',
      },
    },
    {
      title: 'The same again is merged',
      args: {
        type: 'decision',
        content: 'Retries of a delivery stop when the retry budget of the channel is spent',
        module: 'api',
      },
    },
  ],
  run: ({ library }: ContextServices, { session_id, ...rest }, call) =>
    rememberDiscovery(library, rest, sittingOf(call, session_id), call.signal),
  view: ({ discovery, session, state, supersedes, redacted }) => ({
    id: discovery.id,
    type: discovery.type,
    content: discovery.content,
    module: discovery.module,
    session_id: session,
    date: discovery.updatedAt,
    state,
    count: discovery.count,
    supersedes,
    redacted,
  }),
})
