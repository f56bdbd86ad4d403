// A command line without a process: streams that remember, settings and services that answer what a test tells them.

import { Readable } from 'node:stream'
import type { Library } from '../src/answer/library.js'
import type { Configuration } from '../src/model/settings.js'
import type { Context, GlobalFlags, Services } from '../src/surfaces/cli/context.js'
import { runProgram } from '../src/surfaces/cli/program.js'

export interface CliResult {
  out: string
  err: string
  code: number
  flags: GlobalFlags | null
  closed: number
}

export interface Stage {
  services?: Partial<Services>
  env?: Record<string, string>
  terminal?: boolean
  columns?: number
  signal?: AbortSignal
  settings?: Context['settings']
}

/** Runs one command line on a stage and tells everything that could be seen of it. */
export async function runOn(stage: Stage, ...argv: string[]): Promise<CliResult> {
  const result: CliResult = { out: '', err: '', code: 0, flags: null, closed: 0 }
  const look = { isTTY: stage.terminal, columns: stage.columns }
  const keepIn = (name: 'out' | 'err') => (text: string) => {
    result[name] += text
  }
  const library = { settings, close: async () => void result.closed++ } as unknown as Library
  const context: Context = {
    version: '9.9.9',
    out: { write: keepIn('out'), ...look },
    err: { write: keepIn('err'), ...look },
    stdin: Readable.from([]),
    env: stage.env ?? {},
    signal: stage.signal ?? new AbortController().signal,
    services: { ...absent, open: async () => library, ...stage.services },
    settings:
      stage.settings ??
      (async (flags) => {
        result.flags = flags
        return { settings, notes: [] }
      }),
    exit: (code) => {
      result.code = code
    },
  }
  await runProgram(context, argv)
  return result
}

const settings = { root: '/project', data: '/project/.carrel' } as Configuration

const notExpected = async (): Promise<never> => {
  throw new Error('this service was not expected to be called')
}

const absent: Services = {
  open: notExpected,
  indexAll: notExpected,
  syncNewPackages: async () => ({ reports: [], notes: [] }),
  search: notExpected,
  status: notExpected,
  doctor: notExpected,
  evaluate: notExpected,
  fillVectors: notExpected,
  embedBehind: async () => null,
  serve: notExpected,
  mcp: notExpected,
  tool: notExpected,
  engine: notExpected,
  setup: notExpected,
}
