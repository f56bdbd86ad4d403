import { defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import { whatIndexLacks } from '../../server/note.js'
import { aboutMissing, aboutMissingTags } from './reading.js'
import { createNode } from './tools/create-node.js'
import { deleteNode } from './tools/delete-node.js'
import { findPath } from './tools/find-path.js'
import { getHubs } from './tools/get-hubs.js'
import { getNeighbors } from './tools/get-neighbors.js'
import { getNode } from './tools/get-node.js'
import { randomNode } from './tools/random-node.js'
import { search } from './tools/search.js'
import { searchByTags } from './tools/search-by-tags.js'
import type { GraphServices } from './tools/shapes.js'
import { updateNode } from './tools/update-node.js'

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
