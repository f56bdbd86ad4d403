// One of several processes that record discoveries on one data folder. It prints each id once the record is acknowledged.
import { openLibrary } from '../../src/app/open.js'
import { rememberDiscovery } from '../../src/toolsets/context/record-discovery.js'
import { settingsFor } from '../support/world.js'

const [root, name, times] = process.argv.slice(2) as [string, string, string]
const library = await openLibrary(settingsFor(root))
for (let i = 0; i < Number(times); i++) {
  const shared = {
    type: 'rule',
    content: `Never leave the lamp of deck ${'abcdefgh'[i % 8]}${i} unattended`,
  } as const
  const own = { type: 'pattern', content: `Process ${name} keeps watch over ${name}${i} at night` } as const
  for (const statement of [shared, own]) {
    const { discovery } = await rememberDiscovery(library, statement)
    process.stdout.write(`${JSON.stringify({ acknowledged: discovery.id })}\n`)
  }
}
// Without closing: what was acknowledged must not depend on it.
process.exit(0)
