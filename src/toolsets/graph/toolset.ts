import { indexNote } from '../../answer/notes/answer-notes.js'
import { defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import { aboutMissing, aboutMissingTags } from './reading.js'
import {
  findPath,
  getHubs,
  getNeighbors,
  getNode,
  randomNode,
  search,
  searchByTags,
} from './tools/reading.js'
import type { GraphServices } from './tools/shapes.js'
import { createNode, deleteNode, updateNode } from './tools/writing.js'

export const graph = defineToolset<GraphServices>({
  name: 'graph',
  title: 'Notes and their links',
  purpose: 'Walk a vault of linked Markdown notes, and write in it without breaking a link.',
  errorShape: errorShapes.graph,
  note: async ({ library }, { id, source, target, tags }, { isNothing }) => {
    const lacks = await indexNote(library, isNothing)
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
