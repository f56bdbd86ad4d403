// The address bar: links, back and forward work by what it says.

/** @param {string} search @returns {Place} */
export function readPlace(search) {
  const given = new URLSearchParams(search)
  const [, collection, name] = /^([^:]+):(.+)$/s.exec(given.get('open') ?? '') ?? []
  const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(given.get('lines') ?? '') ?? []
  return {
    q: given.get('q')?.trim() ?? '',
    source: given.get('in') ?? '',
    open: collection && name ? { collection, document: name } : null,
    lines: first ? [Number(first), Number(last ?? first)] : null,
    connect: given.get('view') === 'connect',
  }
}

/** @param {Partial<Place>} place */
export function addressOf({ q, source, open, lines, connect }) {
  const given = new URLSearchParams()
  if (connect) given.set('view', 'connect')
  if (q) given.set('q', q)
  if (source) given.set('in', source)
  if (open) given.set('open', `${open.collection}:${open.document}`)
  if (open && lines) given.set('lines', lines.join('-'))
  return given.size > 0 ? `/?${given}` : '/'
}

/** The open document, independent of the query. @param {Place} place */
export function openAt({ open, lines }) {
  return addressOf({ open, lines })
}
