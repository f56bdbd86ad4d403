// What an installation from the packed tarball takes, without dev packages and without install scripts, and which packages
// weigh most. Use: npm run bench -- install-size (asks the npm registry)
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = join(dirname(fileURLToPath(import.meta.url)), '../..')
const folder = mkdtempSync(join(tmpdir(), 'carrel-install-'))
try {
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
  npm(home, 'pack', '--pack-destination', folder)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  npm(folder, 'install', join(folder, tarball), '--omit=dev')
  const modules = join(folder, 'node_modules')
  const sizes = readdirSync(modules)
    .map((name) => [name, sizeOf(join(modules, name))] as const)
    .sort((a, b) => b[1] - a[1])
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  console.log(`tarball ${megabytes(lstatSync(join(folder, tarball)).size)}, installed ${megabytes(total)}`)
  for (const [name, size] of sizes.slice(0, 12)) console.log(`${name.padEnd(24)} ${megabytes(size)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What it takes on the disk, in bytes. */
function sizeOf(path: string): number {
  const found = lstatSync(path)
  const own = found.blocks === undefined ? found.size : found.blocks * 512
  if (!found.isDirectory()) return own
  return own + readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`
}
