// Connects to a host after checking every address that its name resolves to, and only to one of those addresses.

import { lookup } from 'node:dns/promises'
import { isIP, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { untilAborted } from '../../runtime/abort-signals.js'
import type { Connect, Endpoint, Resolve } from './fetch.js'
import { hostOf, type RefusedRequest, readWebUrl } from './web-url.js'

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
  constructor(readonly refusal: RefusedRequest) {
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
export function refusedHost(guard: Guard, host: string): RefusedRequest | null {
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

function refusedAddress(guard: Guard, address: string, host: string | null): RefusedRequest | null {
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

// Decides which addresses may be contacted: by the IP address itself, never by a name, which can lead anywhere.

/** `never`: not even where private networks are allowed. */
export type Reach = 'public' | 'private' | 'never'

export interface AddressClass {
  reach: Reach
  /** The kind of address, for a sentence: `a loopback address`. */
  kind: string
}

export function classOf(address: string): AddressClass {
  // An address with a zone (`fe80::1%eth0`) belongs to one link, so it is not public.
  const read = address.includes('%') || !ipaddr.isValid(address) ? null : ipaddr.parse(address)
  if (read === null) return never('not an address')
  if (read instanceof ipaddr.IPv4) return isFourPart(address) ? classOfFour(read) : never('not an address')
  return classOfSix(read as ipaddr.IPv6)
}

// The forms with fewer parts, in octal or hexadecimal mean different things to different readers.
function isFourPart(address: string): boolean {
  return /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(address)
}

function never(kind: string): AddressClass {
  return { reach: 'never', kind }
}

// Where clouds tell a machine its secrets. Most are link-local; these are not.
const metadata = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'])

const four: Record<string, AddressClass> = {
  unicast: { reach: 'public', kind: 'a public address' },
  loopback: { reach: 'private', kind: 'a loopback address' },
  private: { reach: 'private', kind: 'a private address' },
  carrierGradeNat: { reach: 'private', kind: "an address of a provider's inner network" },
  linkLocal: never('a link-local address'),
  multicast: never('a multicast address'),
  broadcast: never('the broadcast address'),
  unspecified: never('the unspecified address'),
}

function classOfFour(address: ipaddr.IPv4): AddressClass {
  if (metadata.has(address.toString())) return never("a cloud's metadata address")
  return four[address.range()] ?? never('a reserved address')
}

const six: Record<string, AddressClass> = {
  loopback: { reach: 'private', kind: 'a loopback address' },
  uniqueLocal: { reach: 'private', kind: 'a private address' },
  linkLocal: never('a link-local address'),
  deprecatedSiteLocal: never('a site-local address'),
  multicast: never('a multicast address'),
  unspecified: never('the unspecified address'),
  '6to4': never('an address of a 6to4 tunnel'),
  teredo: never('an address of a Teredo tunnel'),
}

function classOfSix(address: ipaddr.IPv6): AddressClass {
  const range = address.range()
  if (metadata.has(address.toString())) return never("a cloud's metadata address")
  if (range === 'ipv4Mapped') return classOfFour(address.toIPv4Address())
  if (isTranslated(address)) return translated(lastFour(address))
  if (range !== 'unicast') return six[range] ?? never('a reserved address')
  // Only 2000::/3 is given out; ::a.b.c.d and the rest of the space lead nowhere we want.
  if (address.parts[0]! >> 13 !== 1) return never('a reserved address')
  return isIsatap(address) ? translated(lastFour(address)) : { reach: 'public', kind: 'a public address' }
}

/** 64:ff9b::/96: a network without IPv4 reaches IPv4 through it, so public ones must work. */
function isTranslated({ parts }: ipaddr.IPv6): boolean {
  return parts[0] === 0x64 && parts[1] === 0xff9b && parts.slice(2, 6).every((part) => part === 0)
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}

function lastFour({ parts }: ipaddr.IPv6): ipaddr.IPv4 {
  const [high = 0, low = 0] = parts.slice(6)
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255])
}

function translated(inner: ipaddr.IPv4): AddressClass {
  const { reach, kind } = classOfFour(inner)
  return reach === 'public' ? { reach, kind } : never(`a wrapping of ${inner.toString()}, ${kind}`)
}

/** Why a url will certainly not be fetched; null when only asking will tell. */
export function refusedUrl(url: string, allowPrivateNetwork: boolean): RefusedRequest | null {
  const read = readWebUrl(url)
  if (!(read instanceof URL)) return read
  return refusedHost(openGuard({ allowPrivateNetwork }), hostOf(read))
}
