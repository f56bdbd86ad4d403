import type { Library } from '../answer/library.js'
import type { Toolset } from '../server/define.js'
import { architecture } from './architecture/toolset.js'
import { context } from './context/toolset.js'
import { documentsToolset } from './documents/toolset.js'
import { graph } from './graph/toolset.js'
import { knowledge } from './knowledge/toolset.js'

/** What every tool is handed. */
export interface Services {
  library: Library
}

/** All toolsets, in the order they are listed. */
export const toolsets: readonly Toolset<Services>[] = [
  documentsToolset,
  graph,
  context,
  architecture,
  knowledge,
]
