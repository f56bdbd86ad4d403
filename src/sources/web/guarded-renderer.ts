// Renders pages that scripts build, in a browser that is already installed. It runs without the user's profile, reaches the
// web only through the guarding proxy, and ends when it is no longer needed.

import { accessSync, constants } from 'node:fs'
import { basename, delimiter, isAbsolute, join, posix, win32 } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page, Request, Response } from 'playwright-core'
import { Problem } from '../../model/problem.js'
import { linkAbort, untilAborted } from '../../runtime/abort-signals.js'
import { type Browsing, openBrowser } from './browser.js'
import { type Guard, openGuard, refusedHost } from './connect.js'
import { OutOfTime } from './failure.js'
import type { Failure } from './fetch.js'
import { type GuardProxy, type NotPassed, openGuardProxy, type ProxyLimits } from './guard-proxy.js'
import type { Rendered, Renderer, RendererOptions, RenderOptions } from './render.js'
import { hostOf, type RefusedRequest, readWebUrl, shownUrl } from './web-url.js'

export function guardedRenderer(options: RendererOptions): Renderer {
  const guard = openGuard(options)
  let browsing: Promise<Browsing> | null = null
  let idle: NodeJS.Timeout | undefined
  let under = 0

  async function browser(): Promise<Browsing> {
    clearTimeout(idle)
    browsing ??= openBrowser(findChromium(options)).catch((error) => {
      browsing = null
      throw error
    })
    const opened = await browsing
    if (opened.isRunning()) return opened
    browsing = null
    return browser()
  }

  async function end() {
    clearTimeout(idle)
    const opened = await browsing?.catch(() => null)
    browsing = null
    await opened?.kill()
  }

  return {
    async render(url, request) {
      const refusal = refusedUrl(guard, url, request)
      if (refusal) return { state: 'refused', url: shownUrl(url), ...refusal }
      const running = await browser()
      under++
      try {
        return await renderIn(running, guard, url, { ...request, limits: options.limits })
      } finally {
        if (--under === 0) idle = setTimeout(() => void end(), idleMs).unref()
      }
    },
    close: end,
  }
}

const idleMs = 60_000

/** The browser to use. */
export function findChromium(
  { chromium, searchPath }: Pick<RendererOptions, 'chromium' | 'searchPath'>,
  installed: readonly string[] = installedBrowsers(process.platform, process.env),
): string {
  const named = chromium !== null && basename(chromium) !== chromium ? [chromium] : null
  const names = chromium === null ? usualNames : [chromium]
  const folders = searchPath.split(delimiter).filter(isAbsolute)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const files = named ?? [...onPath, ...(chromium === null ? installed : [])]
  const found = files.find(isExecutable)
  if (found) return found
  throw new Problem(
    'no_chromium',
    chromium === null
      ? 'Pages built by scripts need a Chromium or Chrome, and none was found.'
      : `There is no browser at ${chromium}.`,
    'Install Chromium, name it with CARREL_CHROMIUM, or crawl without rendering.',
  )
}

const usualNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function refusedUrl(guard: Guard, text: string, { checkUrl }: RenderOptions): RefusedRequest | null {
  const url = readWebUrl(text)
  if (!(url instanceof URL)) return url
  const reason = checkUrl?.(url) ?? null
  return reason === null ? refusedHost(guard, hostOf(url)) : { code: 'not_followed', reason }
}

interface RequestOptions extends RenderOptions {
  limits: Partial<ProxyLimits> | undefined
}

const usualMs = 30_000

/** Each page has its own context and proxy, so no page sees traces of another or uses up its limit. */
async function renderIn(
  running: Browsing,
  guard: Guard,
  url: string,
  options: RequestOptions,
): Promise<Rendered> {
  const requested = openRequestedServers()
  const { checkUrl, limits } = options
  const proxy = await openGuardProxy({ guard, checkUrl, limits, isExpected: requested.isKnown })
  const end = linkAbort(options.signal)
  const ms = options.timeMs ?? usualMs
  const timer = setTimeout(() => end.abort(new OutOfTime(`It takes longer than ${ms / 1000} s.`)), ms)
  const making = running.browser.newContext(contextFor(proxy))
  try {
    const work = making.then((context) => showPage(context, { proxy, requested }, url, options))
    return await untilAborted(work, end.signal)
  } catch (error) {
    options.signal.throwIfAborted()
    if (error instanceof OutOfTime) return failed(url, 'timeout', error.message)
    if (isBrowserTrouble(error)) return failed(url, 'protocol', 'The browser gave up on it.')
    throw error
  } finally {
    clearTimeout(timer)
    end.release()
    await running.leave(making)
    await proxy.close()
  }
}

interface RequestedServers {
  add(url: string): void
  isKnown(url: URL): Promise<boolean>
}

/**
 * The servers that a page has requested. The browser announces a request and sends it at the same time, so a look-up waits a
 * moment for the announcement.
 */
function openRequestedServers(): RequestedServers {
  const known = new Set<string>()
  return {
    add: (url) => void (URL.canParse(url) && known.add(serverOf(new URL(url)))),
    async isKnown(url) {
      for (let waited = 0; waited < announcementMs && !known.has(serverOf(url)); waited += 25) await sleep(25)
      return known.has(serverOf(url))
    },
  }
}

const announcementMs = 2_000

function serverOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (/^(https|wss):$/.test(protocol) ? 443 : 80)}`
}

function failed(url: string, code: Failure, reason: string): Rendered & { state: 'failed' } {
  return { state: 'failed', url, code, reason, status: null, retryable: true }
}

function contextFor({ url }: GuardProxy) {
  return {
    // Loopback too: browsers like to reach that without a proxy.
    proxy: { server: url, bypass: '<-loopback>' },
    acceptDownloads: false,
    serviceWorkers: 'block' as const,
    permissions: [],
    viewport: { width: 1280, height: 900 },
  }
}

/**
 * Whether playwright threw the error, for a page or browser that misbehaves or is gone: its messages begin with its own
 * call.
 */
function isBrowserTrouble(error: unknown): boolean {
  return (
    error instanceof Error && /^(page|frame|response|route|browser|browserContext)\.\w+: /.test(error.message)
  )
}

const usualChars = 10_000_000
/** Scripts that have nothing more to fetch for half a second are done; those that never are get this long. */
const quietMs = 5_000

async function showPage(
  context: BrowserContext,
  { proxy, requested }: { proxy: GuardProxy; requested: RequestedServers },
  url: string,
  options: RequestOptions,
): Promise<Rendered> {
  const page = await context.newPage()
  context.on('page', (other) => void (other !== page && other.close().catch(() => {})))
  await context.addInitScript(quieted)
  await context.route('**/*', async (route) => {
    const way = unseen.test(route.request().resourceType()) ? route.abort() : route.continue()
    // A page that left meanwhile wants no answer.
    await way.catch(() => {})
  })
  context.on('request', (request) => requested.add(request.url()))
  page.on('websocket', (socket) => requested.add(socket.url()))
  const ofPage = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame()
  let asking = url
  page.on('request', (request) => {
    if (ofPage(request)) asking = request.url()
  })
  let response: Response | null = null
  // The browser throws if an error answer has no body. The answer is kept here, so that its status is known.
  page.on('response', (one) => {
    if (ofPage(one.request())) response = one
  })
  try {
    response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 0 })
  } catch (error) {
    return notShown(error, proxy, asking, response)
  }
  await page.waitForLoadState('networkidle', { timeout: quietMs }).catch(() => {})
  return shown(page, response, proxy, options)
}

/** Calls between browsers do not go through a proxy, and further windows are of no use. */
const quieted =
  'delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection; globalThis.open = () => null'

/** Resources that do not change the text of a page. */
const unseen = /^(image|media|font)$/

function notShown(error: unknown, proxy: GuardProxy, url: string, response: Response | null): Rendered {
  const message = error instanceof Error ? error.message : ''
  const refusal = URL.canParse(url) ? proxy.refused.get(new URL(url).host) : undefined
  if (refusal) return notPassed(url, refusal)
  if (/Download is starting/i.test(message))
    return { state: 'refused', url, code: 'content_type', reason: 'It is a download and no page.' }
  if (!isBrowserTrouble(error)) throw error
  if (response && response.status() >= 400) return notGiven(url, response.status())
  if (/net::ERR_(CERT|SSL)/.test(message))
    return { ...failed(url, 'tls', 'Its certificate or encryption is not in order.'), retryable: false }
  return failed(url, 'connect', 'The browser could not open it.')
}

async function shown(
  page: Page,
  response: Response | null,
  proxy: GuardProxy,
  { maxChars = usualChars, checkUrl }: RequestOptions,
): Promise<Rendered> {
  const url = readWebUrl(page.url())
  if (!(url instanceof URL)) return { state: 'refused', url: shownUrl(page.url()), ...url }
  const at = url.href
  const reason = checkUrl?.(url) ?? null
  if (reason !== null) return { state: 'refused', url: at, code: 'not_followed', reason }
  const refusal = proxy.refused.get(url.host)
  if (refusal) return notPassed(at, refusal)
  const status = response?.status() ?? 200
  if (status >= 400) return notGiven(at, status)
  const type = (await response?.headerValue('content-type')) ?? 'text/html'
  if (!/^(text\/html|application\/xhtml\+xml)/i.test(type))
    return {
      state: 'refused',
      url: at,
      code: 'content_type',
      reason: `It is ${type.slice(0, 80)}, and no page.`,
    }
  if (proxy.overflown())
    return { state: 'refused', url: at, code: 'too_large', reason: 'It asks for more than a page may.' }
  const html = await page.evaluate(wholePage, maxChars)
  if (html === null)
    return {
      state: 'refused',
      url: at,
      code: 'too_large',
      reason: `It is larger than ${maxChars} characters.`,
    }
  return {
    state: 'ok',
    url: at,
    status,
    html: `<!doctype html>\n${html}`,
    refused: [...proxy.refused.keys()],
  }
}

function notPassed(url: string, { code, reason }: NotPassed): Rendered {
  return code === 'unreachable' || code === 'unexpected'
    ? failed(url, 'connect', reason)
    : { state: 'refused', url, code, reason }
}

function notGiven(url: string, status: number): Rendered {
  const retryable = status >= 500 || status === 429
  return { state: 'failed', url, code: 'status', status, reason: `The server answered ${status}.`, retryable }
}

// Runs in the page. A hostile page can change what it returns, but not beyond a text of limited length.
function wholePage(most: number): string | null {
  // biome-ignore lint/suspicious/noExplicitAny: the page's own world, which this program has no types for.
  const html: unknown = (globalThis as any).document?.documentElement?.outerHTML
  return typeof html === 'string' && html.length <= most ? html : null
}

/** Where a Chrome or a kin of it is installed on systems whose programs are not on the PATH, the likeliest first. */
export function installedBrowsers(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  if (platform === 'darwin')
    return ['/Applications', posix.join(env.HOME ?? '/', 'Applications')].flatMap((folder) =>
      macApps.map((app) => posix.join(folder, `${app}.app`, 'Contents', 'MacOS', app)),
    )
  if (platform !== 'win32') return []
  const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((one) => one)
  return windowsPrograms.flatMap((program) => folders.map((folder) => win32.join(folder!, program)))
}

const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const windowsPrograms = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]
