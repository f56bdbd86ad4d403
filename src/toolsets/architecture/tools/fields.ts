// What the tools of this toolset have in common.
import { z } from 'zod'
import type { Library } from '../../../answer/library.js'
import { addStep, endsAt, findWorkflow, type Workflow } from '../workflows.js'

/** What these tools work on. */
export interface ArchitectureServices {
  library: Library
}

export const workflowId = z.string().max(60).optional().describe('From a prompt: keeps results together')

export const workflowField = z
  .object({
    workflow_id: z.string(),
    prompt: z.string(),
    expires_at: z.string(),
    /** What was found before this call, oldest first. */
    previous: z.array(z.object({ tool: z.string(), summary: z.string() })),
  })
  .optional()

/**
 * Runs a tool's work as a step of the workflow, if there is one: a blank id is none. An unknown workflow is refused before
 * anything is done.
 */
export async function inWorkflow<R>(
  library: Library,
  id: string | undefined,
  tool: string,
  work: () => Promise<R>,
  summarize: (result: R) => string,
  show: (result: R) => unknown,
): Promise<R & { workflow: Workflow | null }> {
  const workflow = id?.trim() ? await findWorkflow(library, id.trim()) : null
  const result = await work()
  if (workflow)
    await addStep(library, workflow.id, { tool, summary: summarize(result), result: show(result) })
  return { ...result, workflow }
}

export function showWorkflow(workflow: Workflow | null): { workflow?: z.input<typeof workflowField> } {
  if (!workflow) return {}
  return {
    workflow: {
      workflow_id: workflow.id,
      prompt: workflow.prompt,
      expires_at: endsAt(workflow).toISOString(),
      previous: workflow.steps.map(({ tool, summary }) => ({ tool, summary })),
    },
  }
}
