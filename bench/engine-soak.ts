// Kills the engine at random under eight clients for as long as wanted, and reports how calls went on. Fails when a write is
// lost or doubled. Use: npm run bench -- engine-soak [--seconds 300] [--clients 8]
import type { TestContext } from 'node:test'
import { parseArgs } from 'node:util'
import { soak } from '../test/engine/soak.js'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '300' }, clients: { type: 'string', default: '8' } },
})
const undoings: (() => unknown)[] = []
const scope = { after: (undo: () => unknown) => void undoings.push(undo) } as unknown as TestContext
try {
  const { kills, reads, writes, unsure, slowest } = await soak(scope, {
    seconds: Number(values.seconds),
    clients: Number(values.clients),
  })
  console.log(
    `${values.seconds} s, ${values.clients} clients: ${kills} kills; ${writes} writes acknowledged, each kept once; ${unsure} in doubt; ${reads} searches; slowest call ${Math.round(slowest)} ms`,
  )
} finally {
  for (const undo of undoings.reverse()) await undo()
}
process.exit(0)
