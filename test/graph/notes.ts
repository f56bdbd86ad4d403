// Notes from text, without a store: as the road in would read them.

import { emptyGraph, type Graph, type MutableGraph } from '../../src/graph/graph.js'
import type { NoteFacts } from '../../src/graph/resolve.js'
import { parseMarkdown } from '../../src/parse/markdown.js'
import { titleFromPath } from '../../src/text/title.js'

export function noteOf(path: string, text: string): NoteFacts {
  const { title, aliases, tags, links } = parseMarkdown(text)
  return { path, title: title ?? titleFromPath(path), aliases, tags, links }
}

export function graphOf(texts: Readonly<Record<string, string>>): MutableGraph {
  const graph = emptyGraph()
  graph.change(Object.entries(texts).map(([path, text]) => [path, noteOf(path, text)]))
  return graph
}

/** Everything that can be asked of a graph, in one order. */
export function contentOf(graph: Graph) {
  const tags = [...new Set([...graph.notes.values()].flatMap(({ facts }) => facts.tags))].sort()
  return {
    notes: graph.paths().map((path) => {
      const { facts, resolved, out } = graph.notes.get(path)!
      return { facts, resolved, out, in: [...graph.incoming(path)].sort() }
    }),
    tags: tags.map((tag) => [tag, graph.tagged(tag)]),
  }
}
