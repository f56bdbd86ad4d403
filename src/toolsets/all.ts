import type { Library } from '../answer/library.js'
import { fileOf } from '../answer/library.js'
import type { Toolset } from '../server/define.js'
import type { AlignedDecision } from './architecture/alignment.js'
import { architecture } from './architecture/toolset.js'
import { rememberDiscovery } from './context/record-discovery.js'
import { sittingOf } from './context/tools/services.js'
import { context } from './context/toolset.js'
import { deskToolset } from './desk/toolset.js'
import { documentsToolset } from './documents/toolset.js'
import { graph } from './graph/toolset.js'
import { knowledge } from './knowledge/toolset.js'

/** What every tool is handed. */
export interface Services {
  library: Library
}

const desk = deskToolset({
  remember: (library, statement, call) => rememberDiscovery(library, statement, sittingOf(call), call.signal),
  async bearing(library, proposal, signal) {
    const { checkAlignment } = await import('./architecture/alignment.js')
    const { decisions, notes } = await checkAlignment(library, { description: proposal, signal })
    return {
      decisions: decisions.map((one) => bearingOf(library, one)),
      notes: notes.map(({ message }) => message),
    }
  },
})

function bearingOf(library: Library, { decision, alignment, successors, evidence }: AlignedDecision) {
  const pathOf = ({ document: { source, ref } }: AlignedDecision['decision']) =>
    fileOf(library, source, ref.path)
  const { id, title, document, options } = decision
  return {
    ...{ id, title, path: pathOf(decision), verdict: alignment },
    status: document.status ?? decision.status,
    successors: successors.map((one) => ({ id: one.id, title: one.title, path: pathOf(one) })),
    chose: decision.decision?.text ?? evidence?.decision ?? '',
    rejected: options.filter(({ outcome }) => outcome !== 'chosen').map(({ name }) => name),
  }
}

/** All toolsets, in the order they are listed. */
export const toolsets: readonly Toolset<Services>[] = [
  documentsToolset,
  graph,
  context,
  architecture,
  knowledge,
  desk,
]
