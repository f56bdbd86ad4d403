// A folder of made-up TypeScript files, for benches that search files.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export function sourceTree(count: number): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-grep-')))
  for (let i = 0; i < count; i++) {
    const path = join(folder, `packages/p${i % 40}/src/part${i % 300}/file${i}.ts`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, source(i))
  }
  return folder
}

function source(i: number): string {
  const body = Array.from({ length: 40 }, (_, line) =>
    line % 5 === 0
      ? `  const value${line} = await read(session.key${(i * 7 + line) % 97})`
      : `  // Line ${line} of file ${i}: nothing to see but the weather of day ${(i * 31 + line) % 365}.`,
  )
  const rare = i % 4_000 === 17 ? `\n// needle${i}` : ''
  return `export interface Session${i % 500} {\n  key: string\n}\n\nexport async function run${i}() {\n${body.join('\n')}\n}${rare}\n`
}
