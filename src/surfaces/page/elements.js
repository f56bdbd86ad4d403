// Building what is shown. Text goes in as text: nothing here can turn what a document says into markup.

/**
 * Properties are attributes; a function listens to the event it is named for.
 * @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag
 * @param {Record<string, string | number | boolean | EventListener | undefined>} [properties]
 * @param {...(Node | string | false | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(name, value)
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value))
  }
  made.append(...children.filter((child) => child !== undefined && child !== false))
  return made
}

/** A button that does something here. @param {string} text @param {() => void} click @param {string} [kind] */
export function button(text, click, kind) {
  return element('button', { type: 'button', class: kind, click }, text)
}

/** @param {unknown} error */
export function notice(error) {
  return element('p', { class: 'notice' }, error instanceof Error ? error.message : String(error))
}

/** An element of the page itself. @param {string} id */
export function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id))
}

/** One that opens no new tab or window. @param {MouseEvent} event */
export function isPlainClick(event) {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

/** @param {number} n */
export function count(n) {
  return n.toLocaleString('en-US')
}

/** @param {number} n @param {string} one */
export function counted(n, one) {
  return `${count(n)} ${one}${n === 1 ? '' : 's'}`
}
