// Throttles guessing of tokens: wrong tokens from one address are answered one after the other, with growing delays.
// Valid tokens are never delayed, so a client with an old token does not lock out others on its machine.

import { lru } from '../../runtime/lru.js'

export interface WrongTokens {
  /**
   * Waits until a wrong token may be answered. Returns false if too many from this address wait already: close the
   * connection.
   */
  answerLater(address: string): Promise<boolean>
}

const free = 5
const mostDelayMs = 5_000
const mostWaiting = 16
/** After this long without a wrong token, the delay of an address is reset. */
const forgottenMs = 60_000
const mostAddresses = 1_000

interface Guesser {
  wrong: number
  waiting: number
  /** When the last answer goes out. */
  at: number
}

export function wrongTokens(firstDelayMs: number): WrongTokens {
  const guessers = lru<string, Guesser>(mostAddresses)

  function guesserAt(address: string, now: number): Guesser {
    const known = guessers.get(address)
    const guesser = known && now - known.at < forgottenMs ? known : { wrong: 0, waiting: 0, at: now }
    guessers.set(address, guesser)
    return guesser
  }

  return {
    async answerLater(address) {
      const now = performance.now()
      const guesser = guesserAt(address, now)
      if (guesser.waiting >= mostWaiting) return false
      const tooMany = ++guesser.wrong - free
      const delay = tooMany > 0 ? Math.min(firstDelayMs * 2 ** (tooMany - 1), mostDelayMs) : 0
      guesser.at = Math.max(now, guesser.at) + delay
      if (guesser.at <= now) return true
      guesser.waiting++
      await new Promise((resolve) => setTimeout(resolve, guesser.at - now).unref())
      guesser.waiting--
      return true
    },
  }
}
