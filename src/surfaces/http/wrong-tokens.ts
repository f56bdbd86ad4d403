// Slows down whoever guesses tokens: wrong ones from one address are answered one after the other, ever later. Right tokens
// are never slowed, so a client with an old token does not lock out the others on its machine.

import { lru } from '../../runtime/lru.js'

export interface WrongTokens {
  /** Waits until a wrong token may be answered. False when too many from this address wait already: cut the connection. */
  answerLater(address: string): Promise<boolean>
}

const free = 5
const mostDelayMs = 5_000
const mostWaiting = 16
/** After so long without a wrong token, an address begins anew. */
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
