import { existsSync, rmSync } from 'node:fs'
import { changeContext, readContext } from '../../sources/package/context-file.js'
import type { Library } from '../library.js'
import {
  addPackage,
  configuredPackages,
  liesOutside,
  locationOf,
  type PackagePlaces,
  type PackageRequest,
} from './configured.js'
import { giveConsent, withdrawConsent } from './consent.js'
import { lockContext } from './context-lock.js'
import { forgetAlias } from './projects.js'
import { type PackageReport, syncPackages } from './sync.js'

/** Adds a package and takes it in. When it cannot be taken in at all, everything is again as it was before. */
export async function addAndSync(
  library: Library,
  places: PackagePlaces,
  request: PackageRequest & {
    signal?: AbortSignal
    /** A person typed the address on the command line, so it may lie outside the project, now and at every later sync. */
    typed?: boolean
  },
): Promise<PackageReport> {
  const { alias, global = false, signal } = request
  const file = global ? places.global : places.project
  const wasThere = existsSync(file)
  const before = readContext(file)[alias]
  const added = await addPackage(library, places, request)
  const { url } = added
  const location = request.typed && !global ? locationOf(added) : null
  let consented = false
  const undo = async () => {
    if (location && consented) await withdrawConsent(library, places, location)
    await lockContext(library, file, () => {
      changeContext(file, (now) => {
        const { [alias]: ours, ...others } = now
        // Somebody else may have changed it since.
        if (ours?.url !== url) return now
        return before ? { ...others, [alias]: before } : others
      })
      // A context.json marks the root of a project: one that names nothing is not left where there was none.
      if (!wasThere && Object.keys(readContext(file)).length === 0) rmSync(file)
    })
    // The other file may have the same alias, for a package that is here.
    if (!configuredPackages(places).some((one) => one.alias === alias)) await forgetAlias(library, alias)
  }
  try {
    if (location && liesOutside(library, location)) consented = await giveConsent(library, places, location)
    const [report] = await syncPackages(library, places, { aliases: [alias], ...(signal ? { signal } : {}) })
    if (report!.state === 'failed') await undo()
    return report!
  } catch (error) {
    await undo()
    throw error
  }
}
