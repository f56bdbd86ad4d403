// Which addresses may be asked. Decided on the address itself, never on a name: a name can lead anywhere.
import ipaddr from 'ipaddr.js'

/** `never`: not even where private networks are allowed. */
export type Reach = 'public' | 'private' | 'never'

export interface AddressClass {
  reach: Reach
  /** What kind of address it is, for a sentence: `a loopback address`. */
  kind: string
}

export function classOf(address: string): AddressClass {
  // A zone (`fe80::1%eth0`) says which link, so whatever it stands on is none of the public's.
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
