// Shared by the tools of this toolset.
import { z } from 'zod'
import type { Library } from '../../../answer/library.js'
import { addStep, endsAt, findWorkflow, type Workflow } from '../workflows.js'

/** The services that these tools use. */
export interface ArchitectureServices {
  library: Library
}

export const workflowId = z.string().max(60).optional().describe('From a prompt: keeps results together')

export const workflowField = z
  .object({
    workflow_id: z.string(),
    prompt: z.string(),
    expires_at: z.string(),
    /** The steps before this call, oldest first. */
    previous: z.array(z.object({ tool: z.string(), summary: z.string() })),
  })
  .optional()

/**
 * Runs a tool's work as a step of the workflow, if the id is not blank. An unknown workflow is refused before the work
 * begins.
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
