// Who may come in. In order: the name we were called by, the page that sent the request, the token.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Problem } from '../../model/problem.js'

export interface Door {
  host: string
  tokens: readonly string[]
  allowedHosts: readonly string[]
  allowedOrigins: readonly string[]
}

export interface Refusal {
  status: 401 | 403
  message: string
}

/** Throws when the door would stand open to a network without a lock. */
export function checkDoor({ host, tokens, allowedHosts }: Door) {
  if (tokens.some((token) => !/^[\x21-\x7e]{16,4096}$/.test(token)))
    throw new Problem(
      'weak_token',
      'A token needs at least 16 characters without spaces.',
      `For example: ${example()}`,
    )
  if (isLoopback(host) || (tokens.length > 0 && allowedHosts.length > 0)) return
  const missing = [tokens.length === 0 && 'a token', allowedHosts.length === 0 && 'the allowed host names']
  throw new Problem(
    'insecure_bind',
    `Listening on ${host} would open the index to the network, and ${missing.filter(Boolean).join(' and ')} is not set.`,
    `Set CARREL_TOKEN (for example ${example()}) and --allow-host with the names clients use, or listen on 127.0.0.1.`,
  )
}

function example(): string {
  return 'the output of "openssl rand -hex 24"'
}

/** Against pages that reach us through a name of their own (DNS rebinding), and against pages of other sites. */
export function checkSender(req: IncomingMessage, door: Door): Refusal | null {
  const hosts = [...loopbackNames, ...door.allowedHosts.map((name) => name.toLowerCase())]
  const called = hostName(`http://${req.headers.host ?? ''}`)
  if (called === null || !hosts.includes(called))
    return {
      status: 403,
      message: `The host "${cut(req.headers.host)}" is not allowed. Add it with --allow-host.`,
    }
  const { origin } = req.headers
  if (origin === undefined || door.allowedOrigins.includes(origin)) return null
  const page = hostName(origin)
  if (page !== null && hosts.includes(page)) return null
  return {
    status: 403,
    message: `The origin "${cut(origin)}" is not allowed. Add it with --allow-origin.`,
  }
}

/** Compares digests, so that the time taken says nothing about where a wrong token starts to differ. */
export function checkToken(req: IncomingMessage, door: Door): Refusal | null {
  if (door.tokens.length === 0) return null
  const given = /^Bearer ([^\s]{1,4096})$/i.exec(req.headers.authorization ?? '')?.[1]
  const matches = door.tokens.map(
    (token) => given !== undefined && timingSafeEqual(digest(given), digest(token)),
  )
  if (matches.includes(true)) return null
  return { status: 401, message: 'This server needs a token: send "Authorization: Bearer TOKEN".' }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

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
