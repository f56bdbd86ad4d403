// Compiles src/store/vectors/kernel/scan.as into kernel-wasm.ts beside it. `--check` writes nothing and fails when
// the committed module is not what the source compiles to.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import asc from 'assemblyscript/asc'
import { root, say } from './setup.mjs'

const folder = join(root, 'src/store/vectors/kernel')
const target = join(folder, 'kernel-wasm.ts')

const module = render(readText(join(folder, 'scan.as')), await compile(readText(join(folder, 'scan.as'))))
if (!process.argv.includes('--check')) writeFileSync(target, module)
else if (readText(target) !== module) {
  say('kernel-wasm.ts is not what scan.as compiles to: run node scripts/kernel.mjs.')
  process.exit(1)
}

// A checkout with other line ends compiles to the same bytes.
function readText(path) {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
}

async function compile(source) {
  const { error, binary, stderr } = await asc.compileString(source, {
    optimizeLevel: 3,
    shrinkLevel: 0,
    converge: true,
    noAssert: true,
    runtime: 'stub',
    importMemory: true,
    enable: ['simd'],
  })
  if (error) throw new Error(`scan.as does not compile:\n${stderr}`, { cause: error })
  return Buffer.from(binary)
}

function render(source, binary) {
  const hash = createHash('sha256').update(source).digest('hex')
  const lines = binary.toString('base64').match(/.{1,100}/g)
  return `// Made by scripts/kernel.mjs from scan.as; never edited by hand.

export const SOURCE_SHA256 = '${hash}'

export const KERNEL_BASE64 = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('')
`
}
