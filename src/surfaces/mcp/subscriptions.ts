import type { Changes } from '../../server/changes.js'
import { invalidParams } from './errors.js'
import type { Serving } from './server.js'

const mostSubscriptions = 1_000
/** No resource has a longer address. */
const longestUri = 2_048

/**
 * Tells an open connection what changed. Older clients subscribe to single resources, and we keep the list; the newest
 * open a listening request, and the SDK keeps it: everything is sent, and what nobody asked for is dropped there.
 */
export function serveSubscriptions<Services>(
  serving: Serving<Services>,
  changes: Changes,
  era: 'legacy' | 'modern',
) {
  const { server, lists } = serving
  const wanted = new Set<string>()
  if (lists.capabilities.resources && era === 'legacy') {
    server.setRequestHandler('resources/subscribe', ({ params }) => {
      if (params.uri.length > longestUri)
        throw invalidParams(`An address has at most ${longestUri} characters.`)
      if (wanted.size >= mostSubscriptions && !wanted.has(params.uri))
        throw invalidParams(`At most ${mostSubscriptions} subscriptions are kept.`)
      wanted.add(params.uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      wanted.delete(params.uri)
      return {}
    })
  }
  const stop = changes.subscribe((change) => {
    if (!server.transport) return
    const sent =
      change.kind === 'resource'
        ? (era === 'modern' || wanted.has(change.uri)) &&
          lists.capabilities.resources &&
          server.sendResourceUpdated({ uri: change.uri })
        : change.kind === 'resources'
          ? lists.capabilities.resources && server.sendResourceListChanged()
          : lists.capabilities.prompts && server.sendPromptListChanged()
    if (sent) sent.catch(() => {})
  })
  const before = server.onclose
  server.onclose = () => {
    stop()
    before?.()
  }
}
