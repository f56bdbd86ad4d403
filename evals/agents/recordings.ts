// Turns the log of a run into recordings for the replay: npm run evals -- agents/recordings SET LOGFILE… > evals/agents/recordings/NAME.jsonl
import { readLog } from './log.js'
import type { LookUp } from './sets.js'

const [set, ...files] = process.argv.slice(2)
if (!set || files.length === 0) {
  console.error('Usage: npm run evals -- agents/recordings SET LOGFILE…')
  process.exit(2)
}
for (const { arm, question, lookUps, characters } of files.flatMap(readLog)) {
  // What other programs printed cannot be replayed: only its size is kept, and no text of the repository.
  const calls = lookUps.length > 0 ? lookUps : [{ tool: 'shell', args: {} }]
  for (const [i, call] of calls.entries()) {
    // One command can have several look-ups: the first carries the characters of all.
    const row: LookUp = { set, arm, question, ...call, characters: i === 0 ? characters : 0 }
    console.log(JSON.stringify(row))
  }
}
