// What each arm read: npm run evals -- agents/cost LOGFILE…
import { readLog } from './log.js'

const rows = process.argv.slice(2).flatMap(readLog)
if (rows.length === 0) {
  console.error('Usage: npm run evals -- agents/cost LOGFILE… (as log-run writes them)')
  process.exit(2)
}
for (const arm of [...new Set(rows.map((row) => row.arm))]) {
  const of = rows.filter((row) => row.arm === arm)
  const desk = of.filter(({ lookUps }) => lookUps.length > 0)
  const characters = of.reduce((sum, row) => sum + row.characters, 0)
  const minutes = (Math.max(...of.map(({ at }) => at)) - Math.min(...of.map(({ at }) => at))) / 60_000
  console.log(
    `${arm}: ${of.length} calls (${desk.length} to the desk), ${characters.toLocaleString('en-US')} characters, ${minutes.toFixed(1)} min`,
  )
}
