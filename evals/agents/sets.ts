// The question sets of the comparison: what is asked, the facts of a full answer, and the lines that prove them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** How many questions of each kind a set has. */
export const kinds = { where: 5, uses: 4, fact: 4, why: 3, both: 2, words: 2 } as const

export interface AgentQuestion {
  id: string
  kind: keyof typeof kinds
  question: string
  facts: string[]
  evidence: string[]
}

export interface AgentSet {
  name: string
  repository: string
  commit: string
  questions: AgentQuestion[]
}

/** One look-up of a real run. Only the desk's tools and the 30 tools can be replayed; a shell command has its characters. */
export interface LookUp {
  set: string
  arm: string
  question: string
  tool: string
  args: Record<string, unknown>
  characters: number
}

const folder = fileURLToPath(new URL('../../../evals/agents/', import.meta.url))

export function readSets(): AgentSet[] {
  return filesIn('sets', '.json').map((file) => ({
    name: file.slice(0, -'.json'.length),
    ...JSON.parse(readFileSync(join(folder, 'sets', file), 'utf8')),
  }))
}

export function readRecordings(): LookUp[] {
  return filesIn('recordings', '.jsonl').flatMap((file) =>
    readFileSync(join(folder, 'recordings', file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LookUp),
  )
}

function filesIn(name: string, ending: string): string[] {
  const path = join(folder, name)
  return existsSync(path)
    ? readdirSync(path)
        .filter((file) => file.endsWith(ending))
        .sort()
    : []
}
