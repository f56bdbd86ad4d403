// What is served and how far the index is: one line always, and a panel where there is no query yet.
import { ask } from './api.js'
import { button, count, counted, element, part } from './elements.js'

/**
 * Looks every second while something is done, but never spends more than a twentieth of the time on it: a large index
 * takes long to count.
 * @param {(status: Status) => void} show @param {(error: unknown) => void} fail @returns {() => void} stops it
 */
export function watchStatus(show, fail) {
  const stop = new AbortController()
  const { signal } = stop
  const look = async () => {
    const began = performance.now()
    /** @type {Status | undefined} */
    const status = document.hidden ? undefined : await ask('/api/status', { signal }).catch(fail)
    if (signal.aborted) return
    if (status) show(status)
    const wait = document.hidden || status?.doing || status?.indexing ? 1_000 : 15_000
    setTimeout(look, Math.max(wait, 20 * (performance.now() - began)))
  }
  look()
  return () => stop.abort()
}

/** @param {Status} status */
export function showLine(status) {
  const { doing, root, documents, chunks, lastFailures } = status
  const bar = /** @type {HTMLProgressElement} */ (part('progress'))
  bar.hidden = !doing
  if (doing?.total) Object.assign(bar, { max: doing.total, value: doing.done })
  else bar.removeAttribute('value')
  part('state').title = root
  const name = root.split(/[\\/]/).filter(Boolean).at(-1) ?? root
  const facts = [
    ` ${counted(documents, 'document')}, ${counted(chunks, 'chunk')}`,
    doing ? doingText(doing) : meaningText(status),
    ...(lastFailures.length > 0 ? [unread(lastFailures)] : []),
  ]
  part('state').replaceChildren(element('strong', {}, name), facts.join(' · '))
}

/** @param {Status} status @param {(source: string) => void} choose */
export function homePanel({ root, documents, doing, collections, lastFailures, lastIndexed }, choose) {
  const rows = collections.map(({ name, documents, chunks }) => {
    const cells = [count(documents), count(chunks)].map((text) => element('td', {}, text))
    return element(
      'tr',
      {},
      element(
        'th',
        {},
        button(name, () => choose(name), 'plain'),
      ),
      ...cells,
    )
  })
  const heads = ['Source', 'Documents', 'Passages'].map((text) => element('th', {}, text))
  const keys = Object.entries({ '/': 'search', '↑ ↓': 'move', Enter: 'open', Esc: 'back' })
  return element(
    'div',
    {},
    element('h2', {}, 'Look something up'),
    element('p', {}, 'Ask in your own words, or name the thing: an error code, a function, a file.'),
    element('p', {}, '"Quotation marks" find a phrase as it stands.'),
    element(
      'p',
      { class: 'quiet' },
      ...keys.flatMap(([key, does]) => [element('kbd', {}, key), ` ${does}   `]),
    ),
    documents === 0 && !doing && element('p', {}, `There is nothing to read in ${root} yet.`),
    element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows)),
    lastIndexed !== null &&
      element('p', { class: 'quiet' }, `Last indexed ${new Date(lastIndexed).toLocaleString()}.`),
    lastFailures.length > 0 && problems(lastFailures),
  )
}

/** @param {Status['lastFailures']} failures */
function problems(failures) {
  const rows = failures.map(({ path, reason }) => element('li', {}, element('code', {}, path), ` ${reason}`))
  return element('details', {}, element('summary', {}, unread(failures)), element('ul', {}, ...rows))
}

/** @param {Status['lastFailures']} failures */
function unread({ length }) {
  return `${counted(length, 'file')} could not be read`
}

/** @param {Status} status */
function meaningText({ chunks, vectors }) {
  const have = Math.max(0, ...vectors.map((one) => one.count))
  if (chunks === 0) return 'nothing is indexed yet'
  if (have === 0) return 'found by words'
  if (have >= chunks) return 'found by words and meaning'
  return `${count(have)} of ${count(chunks)} chunks found by meaning too`
}

/** @param {Doing} doing */
function doingText(doing) {
  const { phase, subject, done, total, chunks } = doing
  if (phase === 'waiting') return `waiting for ${subject || 'another process'}`
  if (phase === 'listing') return `listing ${subject}`
  if (phase === 'settling') return 'putting the index in order'
  if (phase === 'embedding') return `embedding ${count(done)} of ${counted(total, 'chunk')}${pace(doing)}`
  return `${phase} ${subject}: ${count(done)} of ${counted(total, 'file')}, ${counted(chunks, 'chunk')}${pace(doing)}`
}

let work = { name: '', since: 0, from: 0 }

/** How fast it went since it was first seen here, and what that leaves. @param {Doing} doing */
function pace({ phase, subject, done, total }) {
  const [name, now] = [phase + subject, performance.now()]
  if (work.name !== name || done < work.from) work = { name, since: now, from: done }
  const perSecond = (1_000 * (done - work.from)) / (now - work.since)
  if (!(perSecond > 0)) return ''
  const left = Math.ceil((total - done) / perSecond)
  const time = left < 90 ? `${left} s` : `${Math.ceil(left / 60)} min`
  return `, ${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s, ${time} left`
}
