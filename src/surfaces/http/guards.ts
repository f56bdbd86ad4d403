// Access control, in order: the Host header, the Origin header, the token. Guessing of tokens is throttled.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Problem } from '../../model/problem.js'
import { lru } from '../../runtime/lru.js'

export interface DoorOptions {
  host: string
  tokens?: readonly string[]
  allowedHosts?: readonly string[]
  allowedOrigins?: readonly string[]
}

/** Host names and origins in the form in which requests have them, so that they can be compared. */
export interface Door {
  host: string
  tokens: readonly string[]
  /** The allowed names besides this machine's own. */
  allowedHosts: readonly string[]
  /** All names that the server accepts. */
  hosts: readonly string[]
  allowedOrigins: readonly string[]
}

export interface Refusal {
  status: 401 | 403
  message: string
  /** The request has a token, but not a valid one. */
  isGuess?: boolean
}

/** Throws if the server would be open to a network without a token, or if an allowed name can never match. */
export function openDoor({ host, tokens = [], ...allowed }: DoorOptions): Door {
  const allowedHosts = (allowed.allowedHosts ?? []).map(allowedHost)
  const allowedOrigins = (allowed.allowedOrigins ?? []).map(allowedOrigin)
  checkLock({ host, tokens, allowedHosts })
  const own = nameOf(host)
  const hosts = [...loopbackNames, ...(own && !isWildcard(own) ? [own] : []), ...allowedHosts]
  return { host, tokens, allowedHosts, hosts, allowedOrigins }
}

function checkLock({ host, tokens, allowedHosts }: Pick<Door, 'host' | 'tokens' | 'allowedHosts'>) {
  if (tokens.some((token) => !/^[\x21-\x7e]{16,4096}$/.test(token)))
    throw new Problem(
      'weak_token',
      tokens.includes('')
        ? 'CARREL_TOKEN is set but empty.'
        : 'A token needs at least 16 characters without spaces.',
      `Set CARREL_TOKEN to ${example()}, for example, or unset it to serve this machine without a token.`,
    )
  if (isLoopback(host) || (tokens.length > 0 && allowedHosts.length > 0)) return
  const missing = [
    ...(tokens.length === 0 ? ['a token'] : []),
    ...(allowedHosts.length === 0 ? ['the allowed host names'] : []),
  ]
  const verb = allowedHosts.length === 0 ? 'are' : 'is'
  throw new Problem(
    'insecure_bind',
    `Listening on ${host} would open the index to the network, and ${missing.join(' and ')} ${verb} not set.`,
    `Set CARREL_TOKEN (for example ${example()}) and --allow-host with the names clients use, or listen on 127.0.0.1.`,
  )
}

function example(): string {
  return 'the output of "openssl rand -hex 24"'
}

/** Refuses pages that reach us through a name of their own (DNS rebinding), and pages of other sites. */
export function checkSender(req: IncomingMessage, door: Door): Refusal | null {
  const called = hostName(`http://${req.headers.host ?? ''}`)
  if (called === null || !door.hosts.includes(called))
    return {
      status: 403,
      message: `The host "${cut(called ?? req.headers.host)}" is not allowed. Add it with --allow-host.`,
    }
  const { origin } = req.headers
  if (origin === undefined || door.allowedOrigins.includes(origin)) return null
  const page = hostName(origin)
  if (page !== null && door.hosts.includes(page)) return null
  return {
    status: 403,
    message: `The origin "${cut(origin)}" is not allowed. Add it with --allow-origin.`,
  }
}

/** Compares digests, so that the time does not reveal where a wrong token differs. */
export function checkToken(req: IncomingMessage, door: Door): Refusal | null {
  if (door.tokens.length === 0) return null
  const given = /^Bearer ([^\s]{1,4096})$/i.exec(req.headers.authorization ?? '')?.[1]
  const matches = door.tokens.map(
    (token) => given !== undefined && timingSafeEqual(digest(given), digest(token)),
  )
  if (matches.includes(true)) return null
  return {
    status: 401,
    message: 'This server needs a token: send "Authorization: Bearer TOKEN".',
    isGuess: given !== undefined,
  }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** A wildcard address such as 0.0.0.0. Clients cannot use it as a host name. */
export function isWildcard(address: string): boolean {
  return ['0.0.0.0', '::', '[::]'].includes(address)
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Accepts a name with a port and ignores the port: the server listens on one port only. */
function allowedHost(given: string): string {
  const name = nameOf(given.trim())
  if (name !== null) return name
  throw new Problem(
    'bad_host',
    `"${cut(given)}" is not the name of a host.`,
    'For example: --allow-host desk.example.org. There are no patterns; the option may be repeated.',
  )
}

function nameOf(given: string): string | null {
  if (/[/?#@\\]/.test(given)) return null
  const name = hostName(`http://${isIP(given) === 6 ? `[${given}]` : given}`)
  return name !== null && /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/.test(name) ? name : null
}

/** The origin as browsers send it: no path, no default port, scheme and host in lower case. */
function allowedOrigin(given: string): string {
  const origin = /^([a-z][a-z0-9+.-]*:\/\/[^/?#@\\*,\s]+|null)\/?$/i.exec(given.trim())?.[1]
  if (origin?.toLowerCase() === 'null') return 'null'
  const url = origin !== undefined && URL.canParse(origin) ? new URL(origin) : null
  if (url?.host) return `${url.protocol}//${url.host}`
  throw new Problem(
    'bad_origin',
    `"${cut(given)}" is not an origin.`,
    'For example: --allow-origin https://desk.example.org:8443. There are no patterns; the option may be repeated.',
  )
}

function hostName(url: string): string | null {
  try {
    const { hostname, username, protocol } = new URL(url)
    return hostname && !username && /^https?:$/.test(protocol) ? hostname.toLowerCase() : null
  } catch {
    return null
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function cut(text: string | undefined): string {
  return (text ?? '').slice(0, 100).replace(/[^\x20-\x7e]/g, '?')
}

/**
 * Throttles guessing: wrong tokens from one address are answered one after the other, with growing delays. Valid tokens are
 * never delayed, so a client with an old token does not lock out others on its machine.
 */
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
