// Passages found for a question. An answer that nobody waits for any more is called off.
import { tool } from './api.js'
import { counted, element, isPlainClick, part } from './elements.js'
import { addressOf, openAt } from './place.js'
import { hasWord, isProse, linesOf, marked, wordsOf } from './text.js'

const most = 20
const weak = 0.1
let running = new AbortController()

export function callOff() {
  running.abort()
}

/** @param {Place} place @param {Go} go @returns {Promise<string>} what to say about them */
export async function search(place, go) {
  callOff()
  running = new AbortController()
  const { signal } = running
  const began = performance.now()
  const scope = place.source ? { collections: [place.source] } : {}
  part('results').setAttribute('aria-busy', 'true')
  const clearTimers = showSearching()
  try {
    /** @type {Hit[]} */
    const hits = await tool('documents_search', { query: place.q, limit: most, ...scope }, signal)
    const words = wordsOf(place.q)
    const list = element('ol', {}, ...hits.map((hit) => item(hit, words, place, go)))
    part('results').replaceChildren(hits.length > 0 ? list : nothing(place))
    part('results').scrollTop = 0
    return about(hits, Math.ceil(performance.now() - began))
  } catch (error) {
    if (!signal.aborted) part('search-status').textContent = ''
    throw error
  } finally {
    clearTimers()
    if (!signal.aborted) part('results').removeAttribute('aria-busy')
  }
}

const [soonMs, lateMs] = [200, 2_000]

/** Shows a message when a search takes a while. The passages of the search before stay visible. */
function showSearching() {
  const say = (/** @type {string} */ text) => {
    part('search-status').textContent = text
  }
  const timers = [
    setTimeout(say, soonMs, 'Searching …'),
    setTimeout(say, lateMs, 'Searching … The first search after a start takes longer.'),
  ]
  return () => {
    for (const timer of timers) clearTimeout(timer)
  }
}

/** @param {Place} place */
export function showCurrent(place) {
  for (const link of hitLinks()) link.ariaCurrent = String(link.dataset.at === openAt(place))
}

/** @returns {HTMLAnchorElement[]} */
export function hitLinks() {
  return [...part('results').querySelectorAll('a')]
}

/** @param {Hit[]} hits @param {number} ms */
function about([first, ...others], ms) {
  if (!first) return ''
  const fit = first.relevanceScore < weak ? ' Nothing fits well; these come closest.' : ''
  return `${counted(others.length + 1, 'passage')} in ${ms} ms.${fit} ${first.note ?? ''}`
}

/** @param {Place} place */
function nothing({ q, source }) {
  const where = source && ` in ${source}`
  const hint = source ? 'Try all sources, or other words.' : 'Try fewer or other words.'
  return element('p', { class: 'notice' }, `Nothing found for “${q}”${where}. ${hint}`)
}

/** @param {Hit} hit @param {Set<string>} words @param {Place} place @param {Go} go */
function item(hit, words, place, go) {
  const { collection, documentId: path, documentTitle: title, sectionHeading = '', lines } = hit
  const there = { ...place, open: { collection, document: path }, lines }
  const heading = sectionHeading === title ? '' : sectionHeading
  const link = element('a', { href: addressOf(there), 'data-at': openAt(there) }, ...marked(title, words))
  if (heading) link.append(element('span', {}, ' › ', ...marked(heading, words)))
  const click = (/** @type {Event} */ event) => {
    const isSelecting = window.getSelection()?.isCollapsed === false
    if (isSelecting || !isPlainClick(/** @type {MouseEvent} */ (event))) return
    event.preventDefault()
    go(there)
  }
  return element(
    'li',
    { click },
    element('h3', {}, link),
    element(
      'p',
      { class: 'where' },
      `${collection}:${path}:${lines.join('-')}`,
      element('span', { title: 'Relevance, 0 to 1' }, hit.relevanceScore.toFixed(2)),
    ),
    element(
      'p',
      { class: isProse(path) ? 'passage' : 'passage mono' },
      ...marked(excerpt(hit, words), words),
    ),
  )
}

const shown = 7

/** From where the words of the question are, without the heading: that stands above. @param {Hit} hit @param {Set<string>} words */
function excerpt({ content, documentId, sectionHeading }, words) {
  const lines = linesOf(content).filter((line) => line.trim() !== '')
  if (lines.length > 1 && lines[0]?.replace(/^#+\s*/, '') === sectionHeading) lines.shift()
  const first = lines.findIndex((line) => hasWord(line, words))
  const from = first < shown - 1 ? 0 : first - 1
  const text = (from > 0 ? '… ' : '') + lines.slice(from, from + 3 * shown).join('\n')
  // A paragraph flows again; lists, tables and the like keep their lines.
  return isProse(documentId) ? text.replace(/\n(?!([-*+>]|\d+[.)])\s|[|#~\s]|```)/g, ' ') : text
}
