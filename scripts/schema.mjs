// Writes schema/carrel.schema.json from the keys the program knows: `npm run schema` after a key changed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say, setUp } from './setup.mjs'

setUp()
const { configJsonSchema } = await import('../dist/src/app/config/json-schema.js')
mkdirSync(join(root, 'schema'), { recursive: true })
writeFileSync(join(root, 'schema', 'carrel.schema.json'), configJsonSchema())
say('schema/carrel.schema.json is written.')
