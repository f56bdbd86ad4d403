import { openGuard, refusedHost } from './connect.js'
import { hostOf, type NotAsked, readWebUrl } from './web-url.js'

/** Why a url will certainly not be fetched; null when only asking will tell. */
export function refusedUrl(url: string, allowPrivateNetwork: boolean): NotAsked | null {
  const read = readWebUrl(url)
  if (!(read instanceof URL)) return read
  return refusedHost(openGuard({ allowPrivateNetwork }), hostOf(read))
}
