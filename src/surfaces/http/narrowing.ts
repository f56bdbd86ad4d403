import type { IncomingHttpHeaders } from 'node:http'
import type { Registry, Selection } from '../../tools/registry.js'

/** What a request wants less of, by its headers. Null when it is content with everything. */
export function selectionFrom(headers: IncomingHttpHeaders): Selection | null {
  const toolsets = names(headers['x-carrel-toolsets'])
  const tools = names(headers['x-carrel-tools'])
  const exclude = names(headers['x-carrel-exclude-tools'])
  const readOnly = /^(1|true|yes|on)$/i.test(String(headers['x-carrel-readonly'] ?? ''))
  if (!toolsets && !tools && !exclude && !readOnly) return null
  return { ...(toolsets && { toolsets }), ...(tools && { tools }), ...(exclude && { exclude }), readOnly }
}

const mostNarrowed = 64

/** Narrowed registries, kept because their lists are expensive to make; the same headers come with every request. */
export function narrower<Services>(
  whole: Registry<Services>,
): (selection: Selection | null) => Registry<Services> {
  const kept = new Map<string, Registry<Services>>()
  return (selection) => {
    if (!selection) return whole
    const key = JSON.stringify(selection)
    const known = kept.get(key)
    if (known) return known
    const made = whole.narrow(selection)
    if (kept.size >= mostNarrowed) kept.delete(kept.keys().next().value!)
    kept.set(key, made)
    return made
  }
}

function names(header: string | string[] | undefined): string[] | undefined {
  if (header === undefined) return undefined
  return [header]
    .flat()
    .join(',')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 100)
}
