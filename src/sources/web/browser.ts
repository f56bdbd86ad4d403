// A browser process of ours: started with nothing of the user's, and ended for sure.
import type { Browser, BrowserContext } from 'playwright-core'
import { Problem } from '../../model/problem.js'
import { withTimeout } from '../../runtime/timeout.js'

export interface Browsing {
  browser: Browser
  isRunning(): boolean
  /** Closes a page's context. A browser that cannot do that in time is ended. */
  leave(context: Promise<BrowserContext>): Promise<void>
  kill(): Promise<void>
}

const startMs = 20_000
const leaveMs = 2_000

export async function openBrowser(executablePath: string): Promise<Browsing> {
  const { chromium } = await import('playwright-core')
  const server = await chromium
    .launchServer({
      executablePath,
      args: isolating,
      // Root has no sandbox to give away; everybody else keeps it.
      chromiumSandbox: process.getuid?.() !== 0,
      // Requests of the browser itself lead nowhere; each page has its own proxy.
      proxy: { server: 'http://127.0.0.1:1', bypass: '<-loopback>' },
      env: environment(),
      host: '127.0.0.1',
      timeout: startMs,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    .catch((error: unknown) => {
      throw notStarted(executablePath, error)
    })
  const browser = await chromium
    .connect(server.wsEndpoint(), { timeout: startMs })
    .catch(async (error: unknown) => {
      await server.kill()
      throw notStarted(executablePath, error)
    })
  const kill = async () => {
    await server.kill().catch(() => {})
    await browser.close().catch(() => {})
  }
  return {
    browser,
    isRunning: () => browser.isConnected(),
    kill,
    async leave(context) {
      const closed = context
        .then((made) => made.close())
        .then(
          () => true,
          () => false,
        )
      if (!(await withTimeout(leaveMs, false, () => closed, { ref: false }))) await kill()
    },
  }
}

const isolating = [
  // Only our proxy resolves names.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  '--disable-quic',
  // WebRTC would bypass the proxy.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-gpu',
  '--mute-audio',
  '--js-flags=--max-old-space-size=512',
]

/** No key of the user's environment, and no proxy of theirs. */
function environment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR, LANG = 'C.UTF-8' } = process.env
  return { PATH, HOME, LANG, ...(TMPDIR ? { TMPDIR } : {}) }
}

function notStarted(path: string, error: unknown): Problem {
  const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 200)
  return new Problem(
    'chromium_failed',
    `The browser ${path} could not be started. ${reason}`,
    'Name another one with CARREL_CHROMIUM.',
    {
      cause: error,
    },
  )
}
