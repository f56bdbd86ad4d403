import { changeContext, readContext } from '../../sources/package/context-file.js'
import type { Library } from '../library.js'
import { addPackage, type PackagePlaces } from './configured.js'
import { type PackageReport, syncPackages } from './sync.js'

/** Adds a package and takes it in. When it cannot be taken in at all, the context.json says again what it said before. */
export async function addAndSync(
  library: Library,
  places: PackagePlaces,
  request: { url: string; alias: string; global?: boolean; signal?: AbortSignal },
): Promise<PackageReport> {
  const { alias, global = false, signal } = request
  const file = global ? places.global : places.project
  const before = readContext(file)[alias]
  await addPackage(library, places, request)
  const [report] = await syncPackages(library, places, { aliases: [alias], ...(signal ? { signal } : {}) })
  if (report!.state === 'failed')
    changeContext(file, ({ [alias]: _, ...others }) => (before ? { ...others, [alias]: before } : others))
  return report!
}
