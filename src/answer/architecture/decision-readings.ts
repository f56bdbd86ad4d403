// A cache of the parsed decision records, as this build of the program read them. It is stored beside the index: a process takes
// 0.1 s to read its first records, because that compiles hundreds of patterns.
import type { AdrReading } from '../../parse/adr/adr.js'
import { readDataFile, replaceDataFile } from '../../store/data-files.js'
import { hashOf } from '../../text/hash.js'
import { type Library, libraryState } from '../library.js'

export interface DecisionReadings {
  get(key: string): AdrReading | undefined
  set(key: string, reading: AdrReading): void
  /** Keeps those that are still of use for the next process, if there are new ones. Without a place for them it does nothing. */
  keep(keys: ReadonlySet<string>): void
}

const file = 'decisions.json'

/** The readings by the address and the hash of their documents. */
export const decisionReadings = libraryState('decisions read', (library) => openReadings(library))

export function openReadings({
  settings: { data },
  build,
}: Pick<Library, 'build'> & { settings: Pick<Library['settings'], 'data'> }): DecisionReadings {
  const readings = build === undefined ? new Map<string, AdrReading>() : readSaved(data, build)
  let isNew = false
  return {
    get: (key) => readings.get(key),
    set(key, reading) {
      readings.set(key, reading)
      isNew = true
    },
    keep(keys) {
      for (const key of readings.keys()) if (!keys.has(key)) readings.delete(key)
      if (isNew && build !== undefined) write(data, build, readings)
      isNew = false
    },
  }
}

// Two lines: a hash over the build and the readings, and the readings.
function readSaved(data: string, build: string): Map<string, AdrReading> {
  try {
    const text = readDataFile(data, file)?.toString() ?? ''
    const [hash, readings = ''] = text.split('\n')
    return new Map(hash === hashOf(build, readings) ? (JSON.parse(readings) as [string, AdrReading][]) : [])
  } catch {
    return new Map()
  }
}

function write(data: string, build: string, saved: ReadonlyMap<string, AdrReading>) {
  const readings = JSON.stringify([...saved])
  try {
    replaceDataFile(data, file, `${hashOf(build, readings)}\n${readings}\n`)
  } catch {
    // A folder that cannot be written, or is gone: the next process reads them itself.
  }
}
