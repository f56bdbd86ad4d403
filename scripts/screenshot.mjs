// Takes docs/screenshot.png anew: the page over the sample library, with a question and its first hit open.
// `node scripts/screenshot.mjs`; needs an installed Chromium.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, setUp } from './setup.mjs'

setUp()
const { chromium } = await import('playwright-core')
const { findChromium } = await import(
  pathToFileURL(join(root, 'dist/src/sources/web/guarded-renderer.js')).href
)
const home = mkdtempSync(join(tmpdir(), 'carrel-shot-'))
const library = join(home, 'library')
cpSync(join(root, 'examples/library'), library, { recursive: true })
const env = { ...process.env, CARREL_STATE: join(home, 'state') }
const carrel = (...args) =>
  spawn(process.execPath, [join(root, 'bin/carrel.mjs'), ...args, '--root', library], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
await new Promise((done) => carrel('index', '--json').on('close', done).stdout.resume())
const server = carrel('serve', '--port', '0', '--json', '--quiet')
const { url } = JSON.parse(
  await new Promise((done) => server.stdout.once('data', (line) => done(String(line)))),
)
const browser = await chromium.launch({
  executablePath: findChromium({ chromium: null, searchPath: process.env.PATH ?? '' }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 640 }, colorScheme: 'light' })
  await page.goto(url)
  const question = page.getByRole('searchbox')
  // The first question loads the model.
  await question.fill('lamps')
  await page.getByText(/passages in/).waitFor()
  await question.fill('why did reminders arrive twice')
  await page.getByText('1,940 passengers').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('Outline').waitFor()
  await page.screenshot({ path: join(root, 'docs/screenshot.png') })
} finally {
  await browser.close()
  server.kill()
  rmSync(home, { recursive: true, force: true })
}
