// How long grep_codebase takes beside plain `rg --json` on the same tree, in turns within one run.
//   npm run bench grep [-- FILES]
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { Library } from '../src/answer/library.js'
import { percentile } from '../src/app/evaluate/evaluate.js'
import { ripgrep } from '../src/sources/ripgrep.js'
import { grepCodebase } from '../src/toolsets/context/grep.js'
import { endSessions } from '../src/toolsets/context/sessions.js'
import { sourceTree } from './source-tree.js'

const files = Number(process.argv[2] ?? 20_000)
const rounds = 9

const patterns: [string, string][] = [
  ['no match', 'zyxwvutsrqp'],
  ['rare', 'needle\\d+'],
  ['a name', 'interface Session7\\b'],
  ['common', 'const \\w+ = await'],
  ['every file', 'export'],
  ['every line', 'e'],
]

const root = sourceTree(files)
try {
  // Only the root and the clock are asked for; records are refused, so that nothing but the search is measured.
  const library = {
    settings: { root },
    state: new Map(),
    store: { records: { update: async () => null } },
  } as unknown as Library
  console.log(`${files} files, ${rounds} rounds, median ms (least)\n`)
  for (const [name, pattern] of patterns) {
    const [plain, ours]: [number[], number[]] = [[], []]
    let found = 0
    for (let i = 0; i < rounds; i++) {
      plain.push(await timed(() => plainly(pattern)))
      ours.push(
        await timed(async () => {
          const request = { pattern, caseSensitive: true, limit: 50 }
          found = (await grepCodebase(library, request)).totalMatches
        }),
      )
    }
    const [p, o] = [percentile(plain, 0.5), percentile(ours, 0.5)]
    const least = [Math.min(...plain), Math.min(...ours)].map((ms) => ms.toFixed(0))
    const verdict = o <= 1.5 * p + 5 ? 'ok' : 'TOO SLOW'
    console.log(
      `${name.padEnd(12)} ${String(found).padStart(9)} matches  rg --json ${p.toFixed(0)} (${least[0]})  grep_codebase ${o.toFixed(0)} (${least[1]})  ${(o / p).toFixed(2)} ×  ${verdict}`,
    )
  }
  await endSessions(library)
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function plainly(pattern: string): Promise<number> {
  const child = spawn(await ripgrep(), ['--no-config', '--json', '--hidden', '-e', pattern, '--', './'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let bytes = 0
  for await (const part of child.stdout as AsyncIterable<Buffer>) bytes += part.length
  return bytes
}
