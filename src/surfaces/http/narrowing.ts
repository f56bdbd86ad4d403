import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../model/problem.js'
import { lru } from '../../runtime/lru.js'
import type { Registry, Selection } from '../../server/registry.js'

/** The selection of tools by a request's headers. Null if it wants all. */
export function selectionFrom(headers: IncomingHttpHeaders): Selection | null {
  const toolsets = some('X-Carrel-Toolsets', names(headers['x-carrel-toolsets']))
  const tools = some('X-Carrel-Tools', names(headers['x-carrel-tools']))
  const exclude = names(headers['x-carrel-exclude-tools'])
  const readOnly = truth('X-Carrel-Readonly', headers['x-carrel-readonly'])
  if (!toolsets && !tools && !exclude && !readOnly) return null
  return { ...(toolsets && { toolsets }), ...(tools && { tools }), ...(exclude && { exclude }), readOnly }
}

const mostNarrowed = 64

/** The part of a registry that all of the selections allow. */
export type Narrowed<Services> = (selections: readonly (Selection | null)[]) => Registry<Services>

/** Narrowed registries, kept because their lists are expensive to make; the same headers come with every request. */
export function narrower<Services>(whole: Registry<Services>): Narrowed<Services> {
  const cache = lru<string, Registry<Services>>(mostNarrowed)
  return (selections) => {
    const each = new Map(selections.map((one) => [JSON.stringify(one), one]))
    each.delete('null')
    const key = [...each.keys()].join()
    const known = key === '' ? whole : cache.get(key)
    if (known) return known
    let made = whole
    for (const one of each.values()) if (one) made = made.narrow(one)
    cache.set(key, made)
    return made
  }
}

function names(header: string | string[] | undefined): string[] | undefined {
  if (header === undefined) return undefined
  const given = [header].flat().join(',').split(',')
  return [...new Set(given.map((name) => name.trim()).filter((name) => name !== ''))]
}

/** A header that names nothing came from a variable that was never set, and would leave nothing to offer. */
function some(name: string, given: string[] | undefined): string[] | undefined {
  if (given?.length !== 0) return given
  throw new Problem('bad_header', `${name} is empty.`, 'Leave it out for all of them.')
}

/** A word that means neither true nor false is refused: its author believes the server to be read-only. */
function truth(name: string, header: string | string[] | undefined): boolean {
  if (header === undefined) return false
  const given = String(header)
  if (/^(1|true|yes|on)$/i.test(given)) return true
  if (/^(0|false|no|off)$/i.test(given)) return false
  throw new Problem('bad_header', `${name} is "${given.slice(0, 80)}".`, 'It is true or false.')
}
