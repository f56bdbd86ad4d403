// What to paste into a client, with the server's address as it was reached from here, and what the client gets for it.
import { ask } from './api.js'
import { button, element, part } from './elements.js'

/** @param {Status} status */
export async function showConnect({ url, connect }) {
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
