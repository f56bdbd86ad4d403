import { aboutMissing, aboutMissingTags } from '../../services/graph/reading.js'
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
  beside: async ({ library }, { id, source, target, tags }, { isNothing }) => {
    const lacks = await whatIndexLacks(library, isNothing)
    if (lacks !== null || !isNothing) return lacks
    const names = [id, source, target].filter((name) => typeof name === 'string')
    if (Array.isArray(tags)) return aboutMissingTags(library, tags)
    return aboutMissing(library, names)
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
