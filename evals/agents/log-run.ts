// Runs a command for an answering agent, prints what it prints, and logs how much that was.
//   node dist/evals/agents/log-run.js LOGFILE ARM QUESTION COMMAND…
// The agent sees the repository through this alone. COMMAND is one shell command; several words are joined by blanks.
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'

/** A longer output is cut, as a client would cut it. */
const most = 60_000

const [log, arm, question, ...words] = process.argv.slice(2)
if (!log || !arm || !question || words.length === 0) {
  console.error('Usage: log-run LOGFILE ARM QUESTION COMMAND…')
  process.exit(2)
}
const command = words.join(' ')
const start = Date.now()
const { stdout, status, error } = spawnSync('bash', ['-c', `{ ${command}\n} 2>&1`], {
  encoding: 'utf8',
  // Without a closed input, ripgrep searches it instead of the folder.
  stdio: ['ignore', 'pipe', 'pipe'],
  timeout: 60_000,
  maxBuffer: 256_000_000,
})
const output = (stdout || (error ? `${error.message}\n` : '')).slice(0, most)
appendFileSync(
  log,
  `${JSON.stringify({ at: start, arm, question, command, characters: output.length, ms: Date.now() - start })}\n`,
)
process.stdout.write(output)
process.exitCode = status ?? 1
