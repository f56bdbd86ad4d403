// The whole graph as a file other programs read.

import type { Library } from '../../answer/library.js'
import { createYielder } from '../../runtime/yield.js'
import { idOf, refreshVaults } from './vaults.js'

export type ExportFormat = 'json' | 'graphml' | 'dot'

export interface ExportedGraph {
  nodes: { id: string; title: string; tags: string[] }[]
  edges: { source: string; target: string }[]
}

/** By id; the same vault gives the same bytes. */
export async function exportGraph(library: Library, format: ExportFormat): Promise<string> {
  const graph: ExportedGraph = { nodes: [], edges: [] }
  const yieldIfDue = createYielder()
  for (const vault of await refreshVaults(library))
    for (const path of vault.graph.paths()) {
      await yieldIfDue()
      const { facts, out } = vault.graph.notes.get(path)!
      const id = idOf({ vault, path })
      graph.nodes.push({ id, title: facts.title, tags: [...facts.tags] })
      for (const to of [...out].sort()) graph.edges.push({ source: id, target: idOf({ vault, path: to }) })
    }
  return writers[format](graph)
}

const writers: Record<ExportFormat, (graph: ExportedGraph) => string> = {
  json: (graph) => `${JSON.stringify(graph, null, 2)}\n`,
  graphml: ({ nodes, edges }) =>
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
      '  <key id="title" for="node" attr.name="title" attr.type="string"/>',
      '  <key id="tags" for="node" attr.name="tags" attr.type="string"/>',
      '  <graph edgedefault="directed">',
      ...nodes.map(
        ({ id, title, tags }) =>
          `    <node id="${xml(id)}"><data key="title">${xml(title)}</data><data key="tags">${xml(tags.join(' '))}</data></node>`,
      ),
      ...edges.map(({ source, target }) => `    <edge source="${xml(source)}" target="${xml(target)}"/>`),
      '  </graph>',
      '</graphml>',
      '',
    ].join('\n'),
  dot: ({ nodes, edges }) =>
    [
      'digraph notes {',
      ...nodes.map(({ id, title }) => `  ${quoted(id)} [label=${quoted(title)}];`),
      ...edges.map(({ source, target }) => `  ${quoted(source)} -> ${quoted(target)};`),
      '}',
      '',
    ].join('\n'),
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// XML has no way at all to write most control characters.
function xml(text: string): string {
  return text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (sign) => entities[sign]!)
}

function quoted(text: string): string {
  return `"${text
    .replace(/[\r\n]+/g, ' ')
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')}"`
}
