// How well records of decisions are read: every field of every record in ../shared/data/adr against a table made by hand.
//   npm run evals -- adr [--json]
import { adrFields, scoreRecords } from './adr-scores.js'
import { noAdrs } from './sets/adr/records.js'

if (noAdrs) {
  console.error(noAdrs)
  process.exit(1)
}
const { counts, misses } = scoreRecords()
const share = ({ right, all }: { right: number; all: number }) =>
  all === 0 ? 1 : Math.round((right / all) * 1000) / 1000
const rows = [...counts].map(([repository, fields]) => {
  const values = adrFields.map((field) => fields[field])
  const sum = {
    right: values.reduce((total, { right }) => total + right, 0),
    all: values.reduce((total, { all }) => total + all, 0),
  }
  return {
    repository,
    files: fields.record.all,
    ...Object.fromEntries(adrFields.map((field) => [field, share(fields[field])])),
    fields: share(sum),
  }
})
if (process.argv.includes('--json')) console.log(JSON.stringify({ rows, misses }))
else {
  console.table(rows.sort((a, b) => Number(a.repository === 'all') - Number(b.repository === 'all')))
  for (const { path, field, expected, found } of misses)
    console.log(`${path}: ${field} is "${expected}", read "${found}"`)
  console.log(`${misses.length} misses.`)
}
