// The fixture's toolsets over standard input and output, as a process of its own.

import { changes } from '../../src/server/changes.js'
import { executor } from '../../src/server/executor.js'
import { stderrLog } from '../../src/server/log.js'
import { registry } from '../../src/server/registry.js'
import { reserveStdout } from '../../src/surfaces/mcp/reserve-stdout.js'
import { serveStdio } from '../../src/surfaces/mcp/stdio.js'
import { fixtureToolsets, shelf } from './fixture.js'

const services = shelf()
const noise = changes()
if (process.env.FIXTURE_NOISY) {
  reserveStdout()
  console.log('a stray print')
  setInterval(() => process.stdout.write('another stray print\n'), 20)
}
setInterval(() => noise.publish({ kind: 'resource', uri: 'shelf://count' }), 50)
serveStdio(
  {
    registry: registry(fixtureToolsets, services),
    executor: executor({ log: stderrLog({ level: 'silent' }), checkOutput: true }),
    info: { name: 'fixture', version: '1.0.0' },
    instructions: () => 'A shelf of notes.',
    changes: noise,
  },
  { onClose: () => void process.stderr.write('closed\n') },
)
if (process.env.FIXTURE_NOISY) console.log('a print after the start')
