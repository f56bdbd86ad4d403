// A real browser where one is installed. Pages and everything they reach for are on loopback.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { findChromium, installedBrowsers } from './guarded-renderer.js'
import { openRenderer, type RendererOptions, type RenderOptions } from './render.js'

const searchPath = process.env.PATH ?? ''

function chromium(): string | null {
  try {
    return findChromium({ chromium: null, searchPath })
  } catch {
    return null
  }
}

const skip = chromium() === null ? 'no Chromium is installed here' : false

/** Every name that anybody wanted to know the address of. */
const resolved: string[] = []

const opened: { close(): unknown }[] = []
after(async () => {
  for (const one of opened.reverse()) await one.close()
})

function rendererWith(options: Partial<RendererOptions> = {}) {
  const renderer = openRenderer({
    chromium: null,
    searchPath,
    allowPrivateNetwork: true,
    // Whatever name a browser may think of leads nowhere.
    async resolve(host) {
      resolved.push(host)
      return []
    },
    ...options,
  })
  opened.push(renderer)
  return renderer
}

async function site(answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  return { server, at: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function pages(all: Record<string, string>): RequestListener {
  return (request, response) => {
    const page = all[request.url ?? '/']
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? 'nothing')
  }
}

const shared = rendererWith()

function render(url: string, options: Partial<RenderOptions> = {}, by = shared) {
  return by.render(url, { signal: new AbortController().signal, ...options })
}

describe('finding a browser', () => {
  test('no browser is a Problem with a way to get one', () => {
    for (const where of [
      { chromium: null, searchPath: '' },
      { chromium: null, searchPath: 'relative:folders' },
      { chromium: '/nowhere/chromium', searchPath },
    ])
      assert.throws(() => findChromium(where, []), { code: 'no_chromium', hint: /CARREL_CHROMIUM/ })
  })

  test('one that is installed where no PATH leads is found, unless another is named', () => {
    const installed = ['/nowhere/chrome', process.execPath]
    assert.equal(findChromium({ chromium: null, searchPath: '' }, installed), process.execPath)
    assert.throws(() => findChromium({ chromium: 'chrome', searchPath: '' }, installed), {
      code: 'no_chromium',
    })
  })

  test('Windows and macOS have their own places for programs', () => {
    const windows = installedBrowsers('win32', { ProgramFiles: 'C:\\Program Files', LOCALAPPDATA: 'C:\\L' })
    assert.equal(windows[0], 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe')
    assert.ok(windows.includes('C:\\L\\Google\\Chrome\\Application\\chrome.exe'))
    const mac = installedBrowsers('darwin', { HOME: '/Users/a' })
    assert.equal(mac[0], '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome')
    assert.ok(mac.includes('/Users/a/Applications/Chromium.app/Contents/MacOS/Chromium'))
    assert.deepEqual(installedBrowsers('linux', {}), [])
  })

  test('one that does not start is a Problem', async () => {
    const broken = rendererWith({ chromium: '/bin/false' })
    await assert.rejects(render('http://127.0.0.1:9999/', {}, broken), { code: 'chromium_failed' })
  })

  test('forbidden addresses need no browser to be refused', async () => {
    const strict = rendererWith({ chromium: '/nowhere', allowPrivateNetwork: false })
    for (const url of [
      'http://127.0.0.1/',
      'file:///etc/passwd',
      'http://a:b@example.org/',
      'http://[::1]/',
      'no url',
    ])
      assert.equal((await render(url, {}, strict)).state, 'refused', url)
  })
})

describe('rendering', { skip }, () => {
  test('gives the page that scripts built, from data they fetched, and where it ended', async () => {
    const { at } = await site((request, response) => {
      if (request.url === '/data') return void response.end('from the server')
      if (request.url === '/start') return void response.writeHead(302, { location: '/app' }).end()
      response
        .setHeader('content-type', 'text/html')
        .end(
          '<body>empty<img src="/picture.png"><script>fetch("/data").then(r => r.text()).then(t => { document.body.innerHTML = "<h1>" + t + "</h1>"; history.replaceState(null, "", "/app/done") })</script>',
        )
    })
    const rendered = await render(`${at}/start`)
    assert.ok(rendered.state === 'ok', JSON.stringify(rendered))
    assert.match(rendered.html, /^<!doctype html>\n<html>.*<h1>from the server<\/h1>/s)
    assert.deepEqual([rendered.url, rendered.status, rendered.refused], [`${at}/app/done`, 200, []])
  })

  test('nothing goes around the proxy: not loopback, not images, not beacons, not WebSockets', async () => {
    const requests: string[] = []
    const other = await site((request, response) => {
      requests.push(request.url ?? '')
      response.end()
    })
    other.server.on('upgrade', (request: IncomingMessage) => requests.push(`upgrade ${request.url}`))
    const there = other.at.slice('http://'.length)
    const { at } = await site(
      pages({
        '/': `<title>x</title><link rel=stylesheet href="http://${there}/style"><iframe src="http://${there}/frame"></iframe>
        <script src="http://${there}/script"></script><link rel=dns-prefetch href="//prefetch.example"><link rel=preconnect href="http://${there}">
        <script>
          navigator.sendBeacon("http://${there}/beacon", "x"); new Image().src = "http://localhost:${there.split(':')[1]}/image"
          new WebSocket("ws://${there}/socket"); new EventSource("http://${there}/events"); fetch("http://${there}/fetch", { mode: "no-cors" })
          document.title = typeof RTCPeerConnection
        </script>`,
      }),
    )
    const rendered = await render(at, {
      checkUrl: (url) => (url.host === there || url.hostname === 'localhost' ? 'Not there.' : null),
    })
    assert.ok(rendered.state === 'ok', JSON.stringify(rendered))
    assert.match(rendered.html, /<title>undefined<\/title>/)
    assert.deepEqual([requests, rendered.refused.includes(there)], [[], true])
  })

  test('WebSockets that are permitted work through the proxy', async () => {
    const { server, at } = await site(
      pages({
        '/': `<body><script>const s = new WebSocket(location.origin.replace("http", "ws") + "/chat"); s.onopen = () => { document.body.textContent = "open"; s.close() }</script>`,
      }),
    )
    server.on('upgrade', (request, socket) => {
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
      const accept = createHash('sha1').update(key).digest('base64')
      socket.on('error', () => {})
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      )
    })
    const rendered = await render(at)
    assert.ok(rendered.state === 'ok' && /<body>open<\/body>/.test(rendered.html), JSON.stringify(rendered))
  })

  test('redirects to forbidden places are refused, by the server and by scripts', async () => {
    const { at } = await site((request, response) => {
      if (request.url === '/server')
        return void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      response
        .setHeader('content-type', 'text/html')
        .end('<script>location = "http://169.254.169.254/latest"</script>')
    })
    for (const path of ['/server', '/script']) {
      const rendered = await render(at + path)
      assert.deepEqual([rendered.state, 'code' in rendered && rendered.code], ['refused', 'address'], path)
    }
  })

  test('downloads, other kinds of file, errors and silent servers are values', async () => {
    const { at } = await site((request, response) => {
      if (request.url === '/download')
        return void response
          .writeHead(200, { 'content-disposition': 'attachment', 'content-type': 'text/html' })
          .end('x')
      if (request.url === '/zip')
        return void response.writeHead(200, { 'content-type': 'application/zip' }).end('x')
      if (request.url === '/json')
        return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      if (request.url === '/silent') return
      response.writeHead(503).end()
    })
    const outcomes: string[] = []
    for (const path of ['/download', '/zip', '/json', '/busy']) {
      const rendered = await render(at + path)
      outcomes.push('code' in rendered ? `${rendered.state} ${rendered.code}` : rendered.state)
    }
    assert.deepEqual(outcomes, [
      'refused content_type',
      'refused content_type',
      'refused content_type',
      'failed status',
    ])
    const silent = await render(`${at}/silent`, { timeMs: 1_000 })
    assert.deepEqual([silent.state, 'code' in silent && silent.code], ['failed', 'timeout'])
  })

  test('a page that never stops, grows or asks questions does not keep the browser', async () => {
    const { at } = await site(
      pages({
        '/spin': '<p>x</p><script>setTimeout(() => { for (;;); }, 100)</script>',
        '/grow': '<body><script>document.body.dataset.x = "x".repeat(2e6)</script>',
        '/ask':
          '<body><script>alert(1); confirm(2); onbeforeunload = () => "stay"; open("/ask"); document.body.textContent = "asked"</script>',
      }),
    )
    const spinning = await render(`${at}/spin`, { timeMs: 3_000 })
    assert.deepEqual([spinning.state, 'code' in spinning && spinning.code], ['failed', 'timeout'])
    const grown = await render(`${at}/grow`, { maxChars: 1_000_000 })
    assert.deepEqual([grown.state, 'code' in grown && grown.code], ['refused', 'too_large'])
    const asking = await render(`${at}/ask`)
    assert.ok(asking.state === 'ok' && /asked/.test(asking.html), JSON.stringify(asking))
  })

  test('an invalid certificate is reported, and the browser asks no server about it', async () => {
    const { at } = await site(pages({}))
    resolved.length = 0
    const rendered = await render(at.replace('http:', 'https:'))
    assert.deepEqual([rendered.state, 'code' in rendered && rendered.code], ['failed', 'tls'])
    const unknown = await render('http://nowhere.example/')
    assert.deepEqual([unknown.state, 'code' in unknown && unknown.code], ['failed', 'connect'])
    assert.deepEqual(resolved, ['nowhere.example'])
  })

  test('it can be cancelled, and after closing no process is left', async () => {
    const { at } = await site((request, response) => {
      if (request.url !== '/silent') response.setHeader('content-type', 'text/html').end('<p>here</p>')
    })
    const own = rendererWith()
    assert.equal((await render(at, {}, own)).state, 'ok')
    const stop = new AbortController()
    const rendering = render(`${at}/silent`, { signal: stop.signal }, own)
    setTimeout(() => stop.abort(new Error('enough')), 300)
    await assert.rejects(rendering, /enough/)
    const before = children()
    await own.close()
    await shared.close()
    if (before === null) return
    for (let tries = 0; tries < 50 && children()!.length > 0; tries++)
      await new Promise((resolve) => setTimeout(resolve, 100))
    assert.ok(before.length > 0)
    assert.deepEqual(children(), [])
  })
})

/** The processes below this one that are browsers; null where that cannot be seen. */
function children(): string[] | null {
  try {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const parents = new Map<string, string>()
    for (const pid of all) {
      try {
        const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        if (parent && state !== 'Z') parents.set(pid, parent)
      } catch {
        // It is gone already.
      }
    }
    const below = (pid: string): boolean => {
      const parent = parents.get(pid)
      return parent === String(process.pid) || (parent !== undefined && parent !== '0' && below(parent))
    }
    // Tests of this folder share a process, and one of them may have left the helper of text searches.
    return [...parents.keys()].filter((pid) => below(pid) && !commandOf(pid).includes('ripgrep-helper'))
  } catch {
    return null
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
