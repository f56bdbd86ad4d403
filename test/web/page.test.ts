// The page in a real browser, where one is installed, before a real server: one of each for all of it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { chromium, type Page } from 'playwright-core'
import { findChromium } from '../../src/sources/web/guarded-renderer.js'
import { snippets } from '../../src/surfaces/cli/paste.js'
import { copyNotes, projectRoot, write } from '../support/world.js'

const token = 'a-token-that-is-long-enough'

function browserHere(): string | null {
  try {
    return findChromium({ chromium: null, searchPath: process.env.PATH ?? '' })
  } catch {
    return null
  }
}

const hostile = `# A trap <img src=x onerror="window.trapped = 1">

The quagga </script><script>window.trapped = 2</script> grazes [here](javascript:window.trapped=3), at
javascript:alert(1), data:text/html,<b>x</b> and https://example.org/quagga?a=1&b="2, by day.
<iframe src="https://example.org/"></iframe><style>body { display: none }</style>
`

const parts = Array.from({ length: 40 }, (_, i) => {
  const lines = Array.from(
    { length: 40 },
    (_, j) => `Row ${j} of ledger ${i} tells of ferries and of lanterns.`,
  )
  return `## Ledger ${i}\n\n${lines.join('\n')}\n`
})
const long = `# The ledgers\n\n${parts.join('\n')}\n## Last\n\nThe okapi stands at the end.\n\nAnd nothing after.\n`

async function start(t: TestContext): Promise<string> {
  const root = copyNotes(t, 'guides')
  const code = Array.from({ length: 3_000 }, (_, i) => `export const row${i} = ${i}`)
  code[2_800] = 'export const tapirCount = 1'
  write(root, { 'odd/trap.md': hostile, 'odd/ledgers.md': long, 'odd/rows.ts': code.join('\n') })
  const args = ['serve', '--port', '0', '--json', '--quiet', '--root', root]
  const env = {
    ...process.env,
    CARREL_EMBEDDING_PROVIDER: 'none',
    CARREL_LIMITS_WORKERS: '1',
    CARREL_TOKEN: token,
  }
  const child = spawn(process.execPath, [join(projectRoot, 'bin/carrel.mjs'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return (JSON.parse(line) as { url: string }).url
}

const skip = browserHere() === null && 'no Chromium is installed here'

test('the page', { skip }, async (t) => {
  const browser = await chromium.launch({
    executablePath: browserHere()!,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--disable-gpu',
      '--disable-background-networking',
    ],
  })
  t.after(() => browser.close())
  const url = await start(t)
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } })
  context.setDefaultTimeout(20_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  const page = await context.newPage()
  const [requested, wrong]: [string[], string[]] = [[], []]
  page.on('request', (request) => requested.push(request.url()))
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => {
    // A wrong token is answered with 401, a server is gone for a while, and browsers tell of that by themselves.
    if (message.type() === 'error' && !/401|ERR_FAILED/.test(message.text())) wrong.push(message.text())
  })

  await t.test('asks for the token once, and says when it is wrong', async () => {
    await page.goto(`${url}/?q=quagga`)
    await page.getByLabel('Token').fill('not-the-token-of-this-server')
    await page.getByRole('button', { name: 'Continue' }).click()
    await says(page, '#lock-status', /not the token this server was started with/)
    await page.getByLabel('Token').fill('zażółć gęślą jaźń')
    await page.keyboard.press('Enter')
    await says(page, '#lock-status', /not the token/)
    await page.getByLabel('Token').fill(token)
    await page.keyboard.press('Enter')
    await says(page, '#results a', /A trap/)
    await page.reload()
    await says(page, '#results a', /A trap/)
    assert.equal(await page.locator('#lock').isVisible(), false)
  })

  await t.test('says what is served', async () => {
    await page.getByRole('link', { name: 'Carrel' }).click()
    await says(page, '#state', /^library 47 documents, [\d,]+ chunks · found by words$/)
    await says(page, '#home tbody', /library47/)
    assert.equal(new URL(page.url()).search, '')
  })

  await t.test('finds while somebody types, with the words of the question marked', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('why do reminders arrive twice')
    await page.waitForURL(/q=why\+do\+reminders\+arrive\+twice/)
    await page.locator('#results:not([aria-busy])').waitFor()
    await says(page, '#search-status', /^20 passages in \d+ ms\./)
    const first = page.locator('#results li').first()
    assert.match(await first.innerText(), /Duplicate reminders on 11 February/)
    assert.match(
      await first.innerText(),
      /library:notes\/incidents\/2026-02-11 duplicate reminders\.md:\d+-\d+\s+0\.\d\d/,
    )
    const marks = await first.locator('.passage mark').allInnerTexts()
    assert.ok(marks.includes('reminder') && marks.includes('twice'), marks.join())
    assert.ok(!marks.includes('the'))
    assert.equal(new URL(page.url()).searchParams.get('q'), 'why do reminders arrive twice')
  })

  await t.test('opens a passage at its lines by keyboard, and goes back', async () => {
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.locator('.lines .here').first().waitFor()
    const [, from, to] = /lines=(\d+)-(\d+)/.exec(page.url())!
    const here = await page.locator('.here').evaluateAll((lines) => lines.map((line) => line.dataset.line))
    assert.deepEqual([here[0], here.at(-1)], [from, to])
    assert.ok(await isSeen(page, '.here'))
    assert.match(await page.locator('#reading h2').innerText(), /Duplicate reminders/)
    await says(page, '#reading header', /reminders\.md:\d+-\d+/)
    assert.ok((await page.locator('.side li').count()) >= 3)
    assert.equal(await page.locator('#results [aria-current=true]').count(), 1)
    await page.keyboard.press('Escape')
    await page.locator('#reading').waitFor({ state: 'hidden' })
    assert.equal(await page.evaluate<string>('document.activeElement?.tagName'), 'A')
    await page.goForward()
    await page.locator('.lines .here').first().waitFor()
    await page.goBack()
    await page.locator('#reading').waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    assert.equal(await page.evaluate<string>('document.activeElement?.id'), 'q')
  })

  await t.test(
    'shows a hostile document as text, runs nothing of it, and links only to the web',
    async () => {
      await page.fill('#q', 'quagga')
      await says(page, '#results a', /A trap/)
      await page.locator('#results a').first().click()
      await says(page, '.lines', /<\/script><script>window\.trapped = 2<\/script>/)
      assert.match(await page.locator('.lines').innerText(), /<iframe src=/)
      const links = await page
        .locator('#reading a')
        .evaluateAll((all) =>
          all.map((a) => [a.getAttribute('href'), a.getAttribute('rel'), a.getAttribute('target')]),
        )
      assert.ok(links.length >= 1)
      for (const [href, rel, target] of links) {
        assert.match(href!, /^https:\/\/example\.org\//)
        assert.deepEqual([rel, target], ['noopener noreferrer', '_blank'])
      }
      assert.equal(await page.locator('#columns :is(img, script, iframe, style)').count(), 0)
      assert.equal(await page.evaluate(() => (globalThis as { trapped?: number }).trapped), undefined)
    },
  )

  await t.test('gets at the end of a long document without all of it, and reads on', async () => {
    const before = requested.length
    await page.fill('#q', 'okapi')
    await says(page, '#results a', /The ledgers › Last/)
    await page.locator('#results a').first().click()
    await says(page, '.here mark', /^okapi$/)
    assert.ok(await isSeen(page, '.here'))
    assert.ok((await page.locator('.lines > div').count()) < 100)
    assert.ok(requested.length - before < 10, requested.slice(before).join('\n'))
    await page.getByRole('button', { name: 'From the beginning' }).click()
    await says(page, '[data-line="1"]', /# The ledgers/)
    const shown = await page.locator('.lines > div').count()
    await page.getByRole('button', { name: /Continue after line/ }).click()
    await page.locator(`[data-line="${shown + 1}"]`).waitFor()
    const rows = await page.locator('.lines > div').evaluateAll((all) => all.map((one) => one.innerText))
    assert.deepEqual(
      rows.map((row) => row.trimEnd()),
      long.split('\n').slice(0, rows.length),
    )
    await page.getByRole('button', { name: 'Ledger 35', exact: true }).click()
    await says(page, '.here', /^## Ledger 35/)
    await says(page, '#reading header', /ledgers\.md:\d+-\d+ › Ledger 35/)
  })

  await t.test('says so when the server is gone while it jumps to another part', async () => {
    const before = page.url()
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Ledger 2', exact: true }).click()
    await says(page, '#reading', /The server does not answer/)
    await page.unroute('**/api/**')
    await page.goto(before)
  })

  await t.test('gets at a line of long code, which has no headings to go by', async () => {
    await page.goto(`${url}/?q=tapirCount&open=library%3Aodd%2Frows.ts&lines=2801`)
    await says(page, '.here', /^export const tapirCount = 1$/)
    assert.ok(await isSeen(page, '.here'))
    assert.equal(await page.locator('.lines .mono').count(), await page.locator('.lines > div').count())
  })

  await t.test('says what is not there', async () => {
    await page.goto(`${url}/?open=library%3Anotes%2Fgone.md`)
    await says(page, '#reading', /Document "notes\/gone\.md" not found/)
    await page.goto(`${url}/?q=quagga&in=elsewhere`)
    await says(page, '#results', /Collection "elsewhere" not found/)
    await page.selectOption('#in', '')
    await says(page, '#results a', /A trap/)
  })

  await t.test('shows what to paste, as the terminal does, and the tools', async () => {
    await page.getByRole('link', { name: 'Connect a client' }).click()
    await says(page, '#connect dl', /documents_search/)
    assert.deepEqual(
      await page.locator('.snippet pre').allInnerTexts(),
      snippets(url, { token: true }).map(({ text }) => text),
    )
    await page.getByRole('button', { name: 'Copy for Codex' }).click()
    await says(page, '[aria-label="Copy for Codex"]', /Copied/)
    assert.match(
      await page.evaluate<string>('navigator.clipboard.readText()'),
      /^\[mcp_servers\.carrel\]\nurl = /,
    )
    await page.keyboard.press('Escape')
    await page.locator('#connect').waitFor({ state: 'hidden' })
  })

  await t.test('says that it is searching while an answer takes its time', async () => {
    let answer = () => {}
    const released = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/tools/documents_search', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${url}/?q=okapi`)
    await says(page, '#search-status', /^Searching …/)
    await says(page, '#search-status', /The first search after a start takes longer\.$/)
    answer()
    await page.locator('#results a').first().waitFor()
    await says(page, '#search-status', /passages? in \d+ ms/)
    await page.unroute('**/api/tools/documents_search')
  })

  await t.test('shows how far indexing is, and what could not be read', async () => {
    const doing = { phase: 'reading', subject: 'library', done: 0, total: 400, chunks: 320 }
    const lastFailures = [{ source: 'library', path: 'a/<b>.pdf', reason: 'It is not a PDF.' }]
    await page.route('**/api/status', async (route) => {
      doing.done += 40
      const status = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...status, doing, lastFailures } })
    })
    await page.goto(url)
    await says(
      page,
      '#state',
      /reading library: \d+ of 400 files, 320 chunks, [\d.]+\/s, \d+ s left · 1 file could/,
    )
    assert.ok(await page.getByRole('progressbar').isVisible())
    await page.getByText('1 file could not be read', { exact: true }).click()
    await says(page, '#home li', /a\/<b>\.pdf It is not a PDF\./)
    await page.unroute('**/api/status')
  })

  await t.test('fits a narrow screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const place of [
      '/',
      '/?q=okapi',
      '/?q=okapi&open=library%3Aodd%2Ftrap.md&lines=3-5',
      '/?view=connect',
    ]) {
      await page.goto(url + place)
      await page.locator('#columns > :not([hidden]) > *').last().waitFor()
      assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 360, place)
    }
    await page.goto(`${url}/?q=quagga`)
    await page.locator('#results a').first().click()
    await page.locator('.here').first().waitFor()
    assert.equal(await page.locator('#results').isVisible(), false)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.locator('#results a').first().waitFor()
  })

  await t.test('asked nobody but its own server, and nothing went wrong', () => {
    assert.deepEqual(
      requested.filter((one) => new URL(one).origin !== url),
      [],
    )
    assert.deepEqual(wrong, [])
  })
})

/** Waits until the page says it. */
async function says(page: Page, selector: string, pattern: RegExp) {
  await page.locator(selector).filter({ hasText: pattern }).first().waitFor()
}

/** Whether the first of them is on the screen, not only in the document. */
function isSeen(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const one = document.querySelector('${selector}')
    const { x, y } = one.getBoundingClientRect()
    return one.contains(document.elementFromPoint(x + 4, y + 4))
  })()`)
}
