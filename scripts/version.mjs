// package.json has the version. `npm version` runs this to copy it to server.json, which the registry of MCP servers reads.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const path = join(root, 'server.json')
const server = JSON.parse(readFileSync(path, 'utf8'))
server.version = version
for (const one of server.packages) one.version = version
writeFileSync(path, `${JSON.stringify(server, null, 2)}\n`)
