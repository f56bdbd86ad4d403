// The page. The address bar is its state: the page shows what the address names, and actions change the address.
import { ask, keepToken, Refused } from './api.js'
import { button, element, isPlainClick, notice, part } from './elements.js'
import { addressOf, openAt, readPlace } from './place.js'
import { read, showUnread, stopReading } from './reading.js'
import { callOff, hitLinks, search, showCurrent } from './results.js'
import { homePanel, showLine, watchStatus } from './status.js'

const typingMs = 160
const question = /** @type {HTMLInputElement} */ (part('q'))
const source = /** @type {HTMLSelectElement} */ (part('in'))

let place = readPlace(location.search)
/** @type {Place | null} What is on the screen. */
let shown = null
/** @type {Status | null} */
let status = null
let typing = 0
/** What was closed last: the reader goes on at its passage. */
let closed = ''
let stopWatching = () => {}

begin()
listen()

function begin() {
  stopWatching()
  stopWatching = watchStatus(
    (now) => {
      const isFirst = status === null
      status = now
      part('lock').hidden = true
      part('desk').hidden = false
      showLine(now)
      offerSources(now)
      if (isFirst) show()
      else if (!part('home').matches(':focus-within')) showHome(now)
    },
    unlessLocked((error) => {
      part('state').textContent = error.message
    }),
  )
}

/** @type {Go} */
function go(there, how = 'push') {
  if (addressOf(there) === addressOf(place)) return
  // One document after the other is one step: back leads to the passages.
  const steps = how === 'push' && !(place.open && there.open)
  place = there
  if (steps) history.pushState({ within: true }, '', addressOf(there))
  else history.replaceState(history.state, '', addressOf(there))
  show()
}

/** Brings the screen in line with the place. */
function show() {
  if (!status) return
  const before = shown
  shown = place
  const { q, open, connect } = place
  if (question.value.trim() !== q) question.value = q
  source.value = place.source
  part('home').hidden = q !== '' || open !== null || connect
  part('results').hidden = q === '' || connect
  part('reading').hidden = !open || connect
  part('connect').hidden = !connect
  part('columns').classList.toggle('reads', open !== null)
  const name = connect ? 'Connect' : (open?.document.split('/').at(-1) ?? q)
  document.title = name ? `${name} · Carrel` : 'Carrel'
  if (connect) showConnect(status).catch(unlessLocked(({ message }) => say(message)))
  showHome(status)
  showFound(before)
  showOpen(before)
  if (closed) (hitLinks().find((link) => link.dataset.at === closed) ?? question).focus()
  closed = ''
}

/** @param {Place | null} before */
function showFound(before) {
  if (before?.q === place.q && before.source === place.source) return
  callOff()
  if (place.q === '') return say('')
  search(place, go).then(
    (message) => {
      say(message)
      showCurrent(place)
    },
    unlessLocked((error) => part('results').replaceChildren(notice(error))),
  )
}

/** @param {Place | null} before */
function showOpen(before) {
  showCurrent(place)
  if (before && openAt(before) === openAt(place)) return
  stopReading()
  part('reading').replaceChildren(notice('Opening …'))
  if (!place.open) return
  const fail = unlessLocked((error) => showUnread(error, close))
  read(place, place.open, close, fail).catch(fail)
}

/** To where it was opened from; what a link opened has only the passages behind it. */
function close() {
  closed = openAt(place)
  if (history.state?.within) history.back()
  else go({ ...place, open: null, lines: null, connect: false }, 'replace')
}

/** @param {Status} now */
function showHome(now) {
  const isUnfolded = part('home').querySelector('details')?.open ?? false
  const panel = homePanel(now, (name) => {
    go({ ...place, source: name }, 'replace')
    question.focus()
  })
  part('home').replaceChildren(panel)
  panel.querySelector('details')?.toggleAttribute('open', isUnfolded)
}

/** @param {Status} now */
function offerSources({ collections }) {
  const names = ['', ...new Set([...collections.map(({ name }) => name), place.source].filter(Boolean))]
  source.hidden = names.length < 3 && place.source === ''
  if ([...source.options].map(({ value }) => value).join() === names.join()) return
  source.replaceChildren(...names.map((value) => element('option', { value }, value || 'All sources')))
  source.value = place.source
}

/** @param {string} text */
function say(text) {
  part('search-status').textContent = text
}

/** Shows the field for a token if the server wants one, and starts again once there is one. @param {(error: Error) => void} otherwise */
function unlessLocked(otherwise) {
  return (/** @type {any} */ error) => {
    if (error.name === 'AbortError') return
    if (!(error instanceof Refused && error.status === 401)) return otherwise(error)
    stopWatching()
    status = shown = null
    part('lock-status').textContent = keepToken(null)
      ? 'That is not the token this server was started with.'
      : ''
    part('state').textContent = ''
    part('desk').hidden = true
    part('lock').hidden = false
    part('token').focus()
  }
}

function askNow() {
  clearTimeout(typing)
  const q = question.value.trim()
  const begins = place.q === '' || place.open || place.connect
  if (q !== place.q || place.connect)
    go({ q, source: source.value, open: null, lines: null, connect: false }, begins ? 'push' : 'replace')
}

function listen() {
  question.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(askNow, typingMs)
  })
  source.addEventListener('change', () => go({ ...place, source: source.value, connect: false }, 'replace'))
  part('ask').addEventListener('submit', (event) => {
    event.preventDefault()
    askNow()
  })
  part('lock').addEventListener('submit', (event) => {
    event.preventDefault()
    const field = /** @type {HTMLInputElement} */ (part('token'))
    // No header can carry a sign that is not plain: it is sent without, and is wrong all the same.
    keepToken(field.value.replace(/[^\x21-\x7e]/g, ''))
    field.value = ''
    begin()
  })
  document.addEventListener('click', (event) => {
    const link = /** @type {Element} */ (event.target).closest('header > a, h1 > a')
    if (!(link instanceof HTMLAnchorElement) || !isPlainClick(event)) return
    event.preventDefault()
    go(readPlace(link.search))
  })
  window.addEventListener('popstate', () => {
    clearTimeout(typing)
    place = readPlace(location.search)
    show()
  })
  handleKeys(question, () => place.open !== null || place.connect, close)
}

// What to paste into a client, with the server's address as the browser knows it, and the tools that the client gets.
/** @param {Status} status */
async function showConnect({ url, connect }) {
  const snippets = connect.map(({ client, text }) => snippet(client, text.replaceAll(url, location.origin)))
  const box = element('div', {}, element('h2', {}, 'Connect a client'), ...snippets)
  part('connect').replaceChildren(box)
  /** @type {{ tools: Tool[] }} */
  const { tools } = await ask('/api/tools')
  box.append(element('h2', {}, `${tools.length} tools`))
  for (const name of new Set(tools.map(({ toolset }) => toolset))) {
    const rows = tools.filter(({ toolset }) => toolset === name).flatMap(described)
    box.append(element('h3', {}, name), element('dl', {}, ...rows))
  }
}

/** @param {Tool} tool */
function described({ name, effect, description }) {
  const writes = effect !== 'read' && element('small', {}, ' writes')
  return [element('dt', {}, element('code', {}, name), writes), element('dd', {}, description)]
}

/** @param {string} client @param {string} text */
function snippet(client, text) {
  const code = element('code', {}, text)
  // The clipboard is for pages of this machine or over HTTPS; elsewhere the text is selected.
  const copying = button('Copy', async () => {
    try {
      await navigator.clipboard.writeText(text)
      copying.textContent = 'Copied'
    } catch {
      window.getSelection()?.selectAllChildren(code)
    }
  })
  copying.setAttribute('aria-label', `Copy for ${client}`)
  return element('div', { class: 'snippet' }, element('h3', {}, client), copying, element('pre', {}, code))
}

// Keys: "/" goes to the question, arrows move among the passages, Enter opens (a link does that itself), Escape goes back.
/** @type {Record<string, number>} */
const steps = { ArrowDown: 1, ArrowUp: -1 }

/** @param {HTMLInputElement} question @param {() => boolean} isOpen @param {() => void} close */
function handleKeys(question, isOpen, close) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    const { key, target } = event
    const stops = [question, ...hitLinks()]
    const at = stops.indexOf(/** @type {HTMLInputElement} */ (target))
    const next = at < 0 ? undefined : stops[at + (steps[key] ?? Number.NaN)]
    const asks = key === '/' && !(/** @type {Element} */ (target).matches('input, select'))
    if (next) next.focus()
    else if (key === 'Escape' && isOpen()) close()
    else if (asks || (key === 'Escape' && target !== question)) question.focus()
    else return
    if (asks) question.select()
    event.preventDefault()
  })
}
