// The comparison without a model: what does the first look-up of each question show, and what do recorded runs cost now?
//   npm run evals -- agents/replay --corpora DIR [--data DIR] [--tool find|documents_search] [--set NAME] [--misses] [--json]
// DIR has a checkout of each set's repository in a folder of the set's name. --data keeps the indexes for the next run.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { type Seen, seen } from './evidence.js'
import { type AgentQuestion, type AgentSet, kinds, type LookUp, readRecordings, readSets } from './sets.js'

interface Place {
  root: string
  data: string
}

interface Answer {
  set: string
  kind: string
  id: string
  characters: number
  tokens: number
  seen: Seen
}

const program = fileURLToPath(new URL('../../../bin/carrel.mjs', import.meta.url))
const deskTools = ['find', 'uses', 'read', 'grep', 'outline']
const budget = 4_000

function main() {
  const { values } = parseArgs({
    options: {
      corpora: { type: 'string' },
      data: { type: 'string' },
      tool: { type: 'string', default: 'find' },
      set: { type: 'string', multiple: true },
      misses: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  if (!values.corpora) return fail('Give the folder of the checkouts: --corpora DIR.')
  if (values.tool !== 'find' && values.tool !== 'documents_search')
    return fail(`--tool is find or documents_search, not "${values.tool}".`)
  const data = values.data ?? mkdtempSync(join(tmpdir(), 'carrel-replay-'))
  try {
    const answers: Answer[] = []
    const runs: Run[] = []
    const recorded = readRecordings()
    for (const set of readSets().filter(({ name }) => !values.set || values.set.includes(name))) {
      const place = { root: join(values.corpora, set.name), data: join(data, set.name) }
      if (!existsSync(place.root)) {
        console.error(`${set.name}: left out, no checkout of ${set.repository} at ${place.root}.`)
        continue
      }
      index(place)
      for (const question of set.questions)
        answers.push(firstLookUp(place, { tool: values.tool, set, question }))
      runs.push(
        ...replay(
          place,
          set,
          recorded.filter((row) => row.set === set.name),
        ),
      )
    }
    if (values.json) console.log(JSON.stringify({ answers, runs }))
    else report(answers, runs, values.misses)
  } finally {
    if (!values.data) rmSync(data, { recursive: true, force: true })
  }
}

function index({ root, data }: Place) {
  mkdirSync(data, { recursive: true })
  const { status, stderr } = carrel(['index', '--wait', '--quiet', '--root', root, '--data', data])
  if (status !== 0) throw new Error(`carrel index --root ${root} failed: ${stderr.trim()}`)
}

function firstLookUp(place: Place, asked: { tool: string; set: AgentSet; question: AgentQuestion }): Answer {
  const { id, kind, question, evidence } = asked.question
  const args = asked.tool === 'find' ? { question, budget } : { query: question }
  const output = call(place, asked.tool, args)
  return { set: asked.set.name, kind, id, ...size(output), seen: seen(output, evidence) }
}

interface Run {
  set: string
  arm: string
  lookUps: number
  /** Look-ups of other programs: their recorded characters stand. */
  notReplayed: number
  recordedCharacters: number
  characters: number
  tokens: number
  questionsShown: number
  questions: number
}

/** One row an arm: a question counts as shown when any of its look-ups shows a line of its evidence. */
function replay(place: Place, set: AgentSet, lookUps: readonly LookUp[]): Run[] {
  return [...new Set(lookUps.map(({ arm }) => arm))].map((arm) => {
    const rows = lookUps.filter((row) => row.arm === arm)
    const replayed = rows.filter(({ tool }) => tool !== 'shell')
    const outputs = replayed.map((row) => ({ row, output: call(place, row.tool, row.args) }))
    const sizes = outputs.map(({ output }) => size(output))
    const shown = set.questions.filter(({ id, evidence }) =>
      outputs.some(({ row, output }) => row.question === id && seen(output, evidence) === 'shown'),
    )
    return {
      set: set.name,
      arm,
      lookUps: rows.length,
      notReplayed: rows.length - replayed.length,
      recordedCharacters: sum(rows.map(({ characters }) => characters)),
      characters:
        sum(sizes.map(({ characters }) => characters)) +
        sum(rows.filter(({ tool }) => tool === 'shell').map(({ characters }) => characters)),
      tokens: sum(sizes.map(({ tokens }) => tokens)),
      questionsShown: shown.length,
      questions: new Set(replayed.map(({ question }) => question)).size,
    }
  })
}

function call({ root, data }: Place, tool: string, args: Record<string, unknown>): string {
  const profile = deskTools.includes(tool) ? ['--profile', 'desk'] : []
  const { stdout, stderr } = carrel([
    'tool',
    tool,
    JSON.stringify(args),
    ...profile,
    '--root',
    root,
    '--data',
    data,
  ])
  // A recorded look-up may ask for what is not there: an agent reads the refusal.
  return (stdout === '' ? stderr : stdout).trimEnd()
}

function carrel(args: string[]) {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', maxBuffer: 64_000_000 })
}

function size(output: string) {
  return { characters: output.length, tokens: countTokens(output) }
}

function report(answers: readonly Answer[], runs: readonly Run[], misses: boolean) {
  console.log('First look-up             questions  shown  or pointed at  characters  tokens')
  const sets = [...new Set(answers.map(({ set }) => set))]
  for (const set of sets)
    row(
      set,
      answers.filter((answer) => answer.set === set),
    )
  for (const kind of Object.keys(kinds))
    row(
      kind,
      answers.filter((answer) => answer.kind === kind),
    )
  row('all', answers)
  if (misses) for (const { id, seen } of answers) if (seen !== 'shown') console.log(`${id}: ${seen}`)
  for (const { set, arm, ...of } of runs)
    console.log(
      `${set}, ${arm}: ${of.lookUps} look-ups (${of.notReplayed} not replayed), ${of.recordedCharacters} characters recorded, ` +
        `${of.characters} now (${of.tokens} tokens of the replayed), evidence shown for ${of.questionsShown} of ${of.questions} questions`,
    )
}

function row(name: string, answers: readonly Answer[]) {
  if (answers.length === 0) return
  const share = (...wanted: Seen[]) =>
    `${Math.round((100 * answers.filter(({ seen }) => wanted.includes(seen)).length) / answers.length)} %`
  const mean = (values: number[]) => String(Math.round(sum(values) / values.length))
  console.log(
    name.padEnd(26) +
      String(answers.length).padStart(9) +
      share('shown').padStart(7) +
      share('shown', 'pointed').padStart(15) +
      mean(answers.map(({ characters }) => characters)).padStart(12) +
      mean(answers.map(({ tokens }) => tokens)).padStart(8),
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function fail(sentence: string) {
  console.error(sentence)
  process.exitCode = 2
}

main()
