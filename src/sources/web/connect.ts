// Connects to a host after checking every address that its name resolves to, and only to one of those addresses.
import { lookup } from 'node:dns/promises'
import { isIP, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { untilAborted } from '../../runtime/abort-signals.js'
import { classOf } from './address.js'
import type { Connect, Endpoint, Resolve } from './fetch.js'
import type { NotAsked } from './web-url.js'

export interface Guard {
  allowPrivateNetwork: boolean
  resolve: Resolve
  connect: Connect
}

export function openGuard(options: {
  allowPrivateNetwork: boolean
  resolve?: Resolve | undefined
  connect?: Connect | undefined
}): Guard {
  return {
    allowPrivateNetwork: options.allowPrivateNetwork,
    resolve: options.resolve ?? resolveByName,
    connect: options.connect ?? connectTo,
  }
}

/** Thrown when we refuse a connection. */
export class NotPermitted extends Error {
  override readonly name = 'NotPermitted'
  constructor(readonly refusal: NotAsked) {
    super(refusal.reason)
  }
}

export interface Wanted {
  /** A name or an address, without brackets. */
  host: string
  port: number
  secure: boolean
}

/** Resolves the name once, so that the checked address is the one we connect to. */
export async function connectGuarded(guard: Guard, wanted: Wanted, signal: AbortSignal): Promise<Socket> {
  const addresses = await permittedAddresses(guard, wanted.host, signal)
  let last: unknown
  for (const [i, address] of addresses.entries()) {
    const isLast = i === addresses.length - 1
    const limit = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(nextAddressMs)])
    try {
      return await guard.connect(endpoint(address, wanted), limit)
    } catch (error) {
      signal.throwIfAborted()
      last = error
    }
  }
  throw last
}

/** Why a host is refused without resolving it; null if it is allowed, or if only resolving can tell. */
export function refusedHost(guard: Guard, host: string): NotAsked | null {
  if (isIP(host)) return refusedAddress(guard, host, null)
  return localName.test(host) && !guard.allowPrivateNetwork
    ? { code: 'address', reason: `${host} is this machine. ${whenAllowed}` }
    : null
}

// A dead address must not use up the time for the next one; only a few are tried.
const nextAddressMs = 3_000
const mostAddresses = 4

const localName = /^(.*\.)?(localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)$/i
const whenAllowed = 'Private networks are asked only when --allow-private-network is given.'

async function permittedAddresses(guard: Guard, host: string, signal: AbortSignal): Promise<string[]> {
  const refused = refusedHost(guard, host)
  if (refused) throw new NotPermitted(refused)
  if (isIP(host)) return [host]
  const found = await untilAborted(guard.resolve(host), signal)
  // One forbidden address refuses the host: its owner could otherwise make us retry until we use that address.
  for (const address of found) {
    const bad = refusedAddress(guard, address, host)
    if (bad) throw new NotPermitted(bad)
  }
  if (found.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' })
  return found.slice(0, mostAddresses)
}

function refusedAddress(guard: Guard, address: string, host: string | null): NotAsked | null {
  const { reach, kind } = classOf(address)
  if (reach === 'public' || (reach === 'private' && guard.allowPrivateNetwork)) return null
  const what = host === null ? `${address} is ${kind}.` : `${host} leads to ${address}, ${kind}.`
  return {
    code: 'address',
    reason: `${what} ${reach === 'private' ? whenAllowed : 'Those are never asked.'}`,
  }
}

function endpoint(address: string, { host, port, secure }: Wanted): Endpoint {
  // TLS handshakes contain host names, not addresses.
  return { address, port, host, tls: secure ? { servername: isIP(host) ? '' : host } : null }
}

async function resolveByName(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

function connectTo({ address, port, tls }: Endpoint, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const socket = tls
      ? tlsConnect({ host: address, port, servername: tls.servername, ALPNProtocols: ['http/1.1'] })
      : netConnect({ host: address, port, autoSelectFamily: false })
    const stop = () => socket.destroy(asError(signal.reason))
    signal.addEventListener('abort', stop, { once: true })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The connection was closed.')))
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', stop)
      socket.off('error', reject)
      socket.setNoDelay(true)
      resolve(socket)
    })
  })
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
