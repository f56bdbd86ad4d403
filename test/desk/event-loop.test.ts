// A look-up in a long file must not hold up the process that serves other clients.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longestBlock } from '../support/longest-block.js'
import { deskWorld } from './desk-world.js'

const mostMs = 50
const functions = Array.from({ length: 4_000 }, (_, i) => i)

const files = {
  'src/short.ts': 'export const short = 1\n',
  'src/long.ts': functions
    .map(
      (i) =>
        `/** Number ${i}. */\nexport function step${i}() {\n  const next = shared(${i})\n  return next\n}\n`,
    )
    .join(''),
  'docs/long.md': functions.map((i) => `## Step ${i}\n\nIt calls shared, like others.\n\n\n`).join(''),
  'config/long.yaml': functions.map((i) => `step${i}:\n  uses: shared\n  a: 1\n  b: 2\n  c: 3\n`).join(''),
}

describe('in files of 20,000 lines', () => {
  const lookups: [tool: string, args: object, answer: RegExp][] = [
    ['uses', { name: 'shared' }, /^src\/long\.ts$/m],
    ['uses', { name: 'step3999' }, /^Defined: src\/long\.ts:19997-20000 /],
    ['read', { at: ['step3998'] }, /^src\/long\.ts:19991-19995 step3998/],
    ['read', { at: ['docs/long.md#Step 3998'] }, /^docs\/long\.md:19991-/],
    ['grep', { pattern: 'shared' }, /^12,000 lines in 3 files/],
    ['outline', { path: 'src/long.ts' }, /^src\/long\.ts \(20,000 lines, 4,000 names\)/],
    ['outline', { path: 'config/long.yaml', match: 'step3999' }, /step3999/],
    ['uses', { name: 'stepp' }, /No line has/],
  ]
  for (const [tool, args, answer] of lookups)
    test(`${tool} ${JSON.stringify(args)} blocks for at most ${mostMs} ms`, async (t) => {
      const { say } = await deskWorld(t, { files, indexed: false })
      await say('outline', { path: 'src/short.ts' })
      let text = ''
      const longest = await longestBlock(async () => {
        text = await say(tool, args)
      })
      assert.match(text, answer)
      assert.ok(longest <= mostMs, `${Math.round(longest)} ms`)
    })
})
