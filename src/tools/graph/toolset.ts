import { aboutMissing } from '../../services/graph/reading.js'
import { whatIndexLacks } from '../beside.js'
import { defineToolset } from '../define.js'
import { errorShapes } from '../error-shapes.js'
import { createNode } from './create-node.js'
import { deleteNode } from './delete-node.js'
import { findPath } from './find-path.js'
import { getHubs } from './get-hubs.js'
import { getNeighbors } from './get-neighbors.js'
import { getNode } from './get-node.js'
import { randomNode } from './random-node.js'
import { search } from './search.js'
import { searchByTags } from './search-by-tags.js'
import type { GraphServices } from './shapes.js'
import { updateNode } from './update-node.js'

export const graph = defineToolset<GraphServices>({
  name: 'graph',
  title: 'Notes and their links',
  purpose: 'Walk a vault of linked Markdown notes, and write in it without breaking a link.',
  errorShape: errorShapes.graph,
  beside: async ({ library }, { id, source, target }, { isNothing }) => {
    const lacks = await whatIndexLacks(library, isNothing)
    const names = [id, source, target].filter((name) => typeof name === 'string')
    return lacks ?? (isNothing ? aboutMissing(library, names) : null)
  },
  tools: [
    search,
    getNode,
    getNeighbors,
    findPath,
    getHubs,
    searchByTags,
    randomNode,
    createNode,
    updateNode,
    deleteNode,
  ],
})
