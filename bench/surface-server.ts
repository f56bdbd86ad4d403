// The server that bench/surface measures: thirty small tools, over stdio or HTTP, in a process of its own.

import { changes } from '../src/server/changes.js'
import { defineToolset } from '../src/server/define.js'
import { errorShapes } from '../src/server/error-shapes.js'
import { executor } from '../src/server/executor.js'
import { stderrLog } from '../src/server/log.js'
import { registry } from '../src/server/registry.js'
import { serveHttp } from '../src/surfaces/http/server.js'
import { serveStdio } from '../src/surfaces/mcp/stdio.js'
import { manyTools, type Shelf, shelf } from '../test/surfaces/fixture.js'

const toolset = defineToolset<Shelf>({
  name: 'many',
  title: 'Many',
  purpose: 'To be measured.',
  errorShape: errorShapes.documents,
  tools: manyTools(30),
})
const surface = {
  registry: registry([toolset], shelf()),
  executor: executor({ log: stderrLog() }),
  info: { name: 'bench', version: '1.0.0' },
  changes: changes(),
}
if (process.argv[2] === 'stdio') serveStdio(surface)
else {
  const http = await serveHttp({ surface })
  process.send?.(http.port)
  process.on('message', (wish) => {
    if (wish === 'memory') {
      globalThis.gc?.()
      process.send?.(process.memoryUsage())
    }
  })
  process.on('disconnect', () => process.exit(0))
}
