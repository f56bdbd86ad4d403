// Loads the program. It is one script, and reading and compiling it takes longer than most answers. So V8's code cache of
// it is kept in the user's cache folder.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import type { main } from '../main.js'
import { openCodeCache } from './code-cache.js'

const file = fileURLToPath(new URL('../../program.js', import.meta.url))

/** What `src/program.ts` exports. */
export interface Program {
  main: typeof main
  library(): Promise<object>
}

export interface Loaded {
  program: Program
  /** Keeps the code that was compiled until now for the next process, unless this one had it from there. */
  keepCode(): void
}

/** Loads the program; with a folder, from the code that an earlier process compiled. */
export function loadProgram(folder: string | null): Loaded {
  const cache = folder === null ? null : openCodeCache(folder, file)
  const cachedData = cache?.read() ?? undefined
  // Its characters are those of ASCII, and it is a function of what a module is given.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData,
  })
  const module = { exports: {} as Program }
  const importPackage = (name: string) => import(name)
  script.runInThisContext()(module.exports, createRequire(file), module, file, importPackage)
  let isCached = cachedData !== undefined && !script.cachedDataRejected
  return {
    program: module.exports,
    keepCode() {
      if (isCached) return
      isCached = true
      cache?.write(script.createCachedData())
    },
  }
}
