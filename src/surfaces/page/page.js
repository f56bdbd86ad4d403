// The page: what the address says is what is shown, and what a person does changes the address.
import { keepToken, Refused } from './api.js'
import { showConnect } from './connect.js'
import { element, isPlainClick, notice, part } from './elements.js'
import { handleKeys } from './keys.js'
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
    (said) => {
      say(said)
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
  part('said').textContent = text
}

/** A server that wants a token is asked again once there is one. @param {(error: Error) => void} otherwise */
function unlessLocked(otherwise) {
  return (/** @type {any} */ error) => {
    if (error.name === 'AbortError') return
    if (!(error instanceof Refused && error.status === 401)) return otherwise(error)
    stopWatching()
    status = shown = null
    part('lock-said').textContent = keepToken(null)
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
