// Writes what check-adr-alignment reads of every record of ../shared/data/adr, for entailment/train.py: those records are not
// ours to keep here, and entailment/real.jsonl says only where in them a sentence stands.
//   npm run evals -- entailment-records FILE
import { writeFileSync } from 'node:fs'
import { parseAdr } from '../src/parse/adr/parse-adr.js'
import { statementsOf } from '../src/retrieve/alignment/statements.js'
import { expectedRecords, noAdrs, textOfRecord } from './sets/adr/records.js'

const file = process.argv[2]
if (noAdrs || !file) {
  console.error(noAdrs || 'Usage: npm run evals -- entailment-records FILE')
  process.exit(1)
}
const records = expectedRecords().flatMap(({ path, record }) => {
  const adr = record ? parseAdr(path, textOfRecord(path)) : null
  if (!adr) return []
  const statements = statementsOf(adr).map(({ whole, line }) => ({ whole, line }))
  return [{ path, binds: adr.status !== 'superseded' && adr.status !== 'deprecated', statements }]
})
writeFileSync(file, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
console.log(`${records.length} records`)
