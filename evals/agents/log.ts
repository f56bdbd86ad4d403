// The log of a run, and the look-ups of the desk in its shell commands.
import { readFileSync } from 'node:fs'

export interface DeskCall {
  tool: string
  args: Record<string, unknown>
}

export interface LoggedCall {
  at: number
  arm: string
  question: string
  command: string
  characters: number
  lookUps: DeskCall[]
}

export function readLog(file: string): LoggedCall[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map((row) => ({ ...row, lookUps: deskCalls(row.command) }))
}

/** The calls of `carrel find`, `uses`, `read`, `grep` and `outline` in a shell command, also when it has several. */
export function deskCalls(command: string): DeskCall[] {
  return commandsIn(command).flatMap((words) => {
    const at = words.findIndex((word) => /(^|\/)carrel(\.mjs)?$/.test(word))
    const call = at < 0 ? null : deskCall(words.slice(at + 1))
    return call ? [call] : []
  })
}

const numbers = ['budget', 'context']
const texts = ['in', 'kind', 'match']
const elsewhere = ['root', 'data', 'config', 'set']

function deskCall(words: readonly string[]): DeskCall | null {
  if (words.includes('--help')) return null
  const args: Record<string, unknown> = {}
  const plain: string[] = []
  for (let i = 0; i < words.length; i++) {
    const [, long, joined] = /^--([\w-]+)(?:=(.*))?$/.exec(words[i] ?? '') ?? []
    const flag = words[i] === '-C' ? 'context' : words[i] === '-i' ? 'ignore-case' : long
    const value = () => joined ?? words[++i] ?? ''
    if (!flag) plain.push(words[i] ?? '')
    else if (numbers.includes(flag)) args[flag] = Number(value())
    else if (texts.includes(flag)) args[flag] = value()
    else if (elsewhere.includes(flag)) value()
    else if (flag === 'tests') args.tests = true
    else if (flag === 'ignore-case') args.case_sensitive = false
  }
  const [tool = '', ...rest] = plain
  const named: Record<string, Record<string, unknown>> = {
    find: { question: rest.join(' ') },
    uses: { name: rest.join(',') },
    read: { at: rest },
    grep: { pattern: rest[0] },
    outline: rest[0] ? { path: rest[0] } : {},
  }
  return named[tool] ? { tool, args: { ...named[tool], ...args } } : null
}

/** The words of each command of a shell line. Quotes hold; pipes, `;`, `&&` and new lines part. */
function commandsIn(line: string): string[][] {
  const commands: string[][] = [[]]
  for (const [token, double, single, parted] of line.matchAll(
    /"((?:\\.|[^"\\])*)"|'([^']*)'|(;|&&|\|\|?|\n|\d?>\S*)|[^\s;&|"'>]+/g,
  )) {
    if (parted !== undefined) commands.push([])
    else commands.at(-1)?.push(double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? token)
  }
  return commands
}
