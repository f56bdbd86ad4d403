import { aboutMissing } from '../../services/graph/reading.js'
import { defineToolset } from '../define.js'
import { errorShapes } from '../error-shapes.js'
import { whyNothing } from '../why-nothing.js'
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
  whyNothing: async (services, { id, source, target }) =>
    (await whyNothing(services)) ??
    aboutMissing(
      services.library,
      [id, source, target].filter((name) => typeof name === 'string'),
    ),
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
