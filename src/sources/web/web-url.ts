// Checks urls before any name is resolved.
import type { Refusal } from './fetch.js'

/** Why a request is not made: a code for programs, a sentence for people. */
export interface RefusedRequest {
  code: Refusal
  reason: string
}

/** The url to fetch, without its fragment, or why it is refused. */
export function readWebUrl(text: string, base?: URL): URL | RefusedRequest {
  if (text.length > longestUrl) return { code: 'bad_url', reason: 'The url is too long.' }
  if (!URL.canParse(text, base?.href)) return { code: 'bad_url', reason: `"${short(text)}" is not a url.` }
  const url = new URL(text, base)
  url.hash = ''
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return {
      code: 'scheme',
      reason: `Only http and https are fetched, not ${short(url.protocol.slice(0, -1), 40)}.`,
    }
  if (url.username !== '' || url.password !== '')
    return { code: 'credentials', reason: 'The url holds a user name or password; those are not sent.' }
  if (otherPorts.has(url.port))
    return { code: 'port', reason: `Port ${url.port} is for something else than web pages.` }
  return url
}

/** The host without brackets, and without the dot that ends a full name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Whether a server is on this machine, by the address alone: no name but "localhost" is trusted to stay here. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** A url for a sentence or a report: short, and without a possible password. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return short(text)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') url.username = url.password = ''
  return short(url.href, longestUrl)
}

const longestUrl = 8_000

function short(text: string, most = 200): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

// The ports that browsers do not open either: a page must not make us speak to a mail server or a database of old.
const otherPorts: ReadonlySet<string> = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123
  135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995
  1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(
    /\s+/,
  ),
)
