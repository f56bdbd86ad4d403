// Guidelines, patterns and decisions as resources, and the steps of a workflow.
import {
  type ArchitectureDocument,
  architectureDocuments,
  openArchitecture,
  refOfUri,
} from '../../../answer/architecture/documents.js'
import { type Kind, otherNames } from '../../../answer/architecture/places.js'
import { defineResource, type ListedResource, type Resource } from '../../../server/define.js'
import { endsAt, findWorkflow } from '../workflows.js'
import type { ArchitectureServices } from './fields.js'
import { completions } from './prompts.js'

export const architectureResources: readonly Resource<ArchitectureServices>[] = [
  family('guidelines', 'name', 'Guidelines', 'A guideline of this project, as Markdown.'),
  family('patterns', 'name', 'Patterns', 'A pattern of this project with its rules, as Markdown.'),
  family('adr', 'id', 'Decisions', 'A record of a decision (ADR), as Markdown.'),
  defineResource<ArchitectureServices>({
    name: 'architecture workflow',
    title: 'Workflow',
    summary: 'What the tools found in a workflow that a prompt opened.',
    mimeType: 'application/json',
    template: 'architecture://workflow/{workflow_id}',
    async read({ library }, { variables }) {
      const {
        id,
        prompt,
        arguments: args,
        steps,
        ...workflow
      } = await findWorkflow(library, variables.workflow_id ?? '')
      const shown = {
        workflow_id: id,
        prompt,
        arguments: args,
        expires_at: endsAt({ id, prompt, arguments: args, steps, ...workflow }).toISOString(),
        steps: steps.map(({ at, ...step }) => ({ ...step, at: new Date(at).toISOString() })),
      }
      return { text: JSON.stringify(shown) }
    },
  }),
]

function family(
  kind: Kind,
  variable: string,
  title: string,
  summary: string,
): Resource<ArchitectureServices> {
  const templateFor = (name: string) => `architecture://${name}/{+${variable}}`
  return defineResource<ArchitectureServices>({
    name: `architecture ${kind}`,
    title,
    summary,
    mimeType: 'text/markdown',
    template: templateFor(kind),
    alsoAt: otherNames[kind].map(templateFor),
    async list({ library }) {
      const all = await architectureDocuments(library)
      return all.filter((one) => one.kind === kind).map(listed)
    },
    async read({ library }, { uri }) {
      const ref = await refOfUri(library, uri)
      const document = (await architectureDocuments(library)).find(
        (one) => ref && one.ref.source === ref.source && one.ref.path === ref.path,
      )
      const opened = document && (await openArchitecture(library, document))
      return opened ? { uri, text: opened.stored.text } : null
    },
    complete: { [variable]: ({ library }, value) => completions(library, kind, value) },
  })
}

function listed({ uri, name, title, status }: ArchitectureDocument): ListedResource {
  return { uri, name, title, ...(status ? { description: `Status: ${status}.` } : {}) }
}
