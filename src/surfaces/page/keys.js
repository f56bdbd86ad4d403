// By keyboard: "/" asks, arrows move among the passages, Enter opens (a link does that itself), Escape goes back.
import { hitLinks } from './results.js'

/** @type {Record<string, number>} */
const steps = { ArrowDown: 1, ArrowUp: -1 }

/** @param {HTMLInputElement} question @param {() => boolean} isOpen @param {() => void} close */
export function handleKeys(question, isOpen, close) {
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
