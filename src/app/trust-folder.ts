// `carrel doctor --trust`: takes a data folder over that was not used because it was not known to be the user's.
import { lstatSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import { reasonOf } from '../model/problem.js'
import type { Check } from '../model/reports.js'
import type { Settings } from '../model/settings.js'
import { appendEntries, readJournal } from '../store/sqlite/journal.js'
import { copyBlobs } from '../toolsets/knowledge/blob-store.js'
import { isTracked, rememberAnew } from './data-trust.js'
import { isWhole } from './record-schemas.js'

/** Trusts the folder, and adds the records that were written meanwhile in the folder that replaced it. */
export async function trustDataFolder<S extends Settings>(
  settings: S,
): Promise<{ check: Check; settings: S }> {
  const name = 'trust'
  const { untrusted: data, state } = settings.dataTrust ?? { untrusted: null, state: '' }
  const failed = (message: string, hint: string) => ({
    check: { name, state: 'failed', message, hint } as const,
    settings,
  })
  if (data === null)
    return {
      check: { name, state: 'ok', message: `${settings.data} is yours: there is nothing to take over.` },
      settings,
    }
  if (await isTracked(data))
    return failed(
      `Git tracks files in ${data}: whoever changes the repository changes them.`,
      `Run "git rm -r --cached ${basename(data)}" first.`,
    )
  if (!lstatSync(data).isDirectory()) return failed(`${data} is no folder.`, 'Remove it.')
  try {
    const merged = takeWith(settings.data, data)
    const notes = rememberAnew(data, state)
    const sentences = [
      `${data} is used from now on.`,
      ...(merged ? [merged] : []),
      ...notes.map(({ message }) => message),
    ]
    return {
      check: { name, state: 'repaired', message: sentences.join(' ') },
      settings: { ...settings, data, dataTrust: { state, untrusted: null } },
    }
  } catch (error) {
    return failed(`${data} could not be taken over: ${reasonOf(error)}`, 'Mend that and run it again.')
  }
}

function takeWith(interim: string, data: string): string | null {
  const entries = [...readJournal(interim, isWhole).values()]
  if (entries.length === 0) return null
  copyBlobs(interim, data)
  appendEntries(data, entries)
  const old = `${interim}.old-${Date.now()}`
  renameSync(interim, old)
  return `It has what was recorded meanwhile (${entries.length} records). What took its place is kept in ${old}.`
}
