// What a person types on the command line is their word: `carrel add /elsewhere --as x` lets this project read that
// place from then on. The same line in a project's context.json does not.
import { dirname, join } from 'node:path'
import type { PackagePlaces } from '../../answer/configured-packages.js'
import type { Library } from '../../answer/library.js'
import { type Consents, readConsents, writeConsents } from '../../sources/package/consent-file.js'
import type { Location } from '../../sources/package/location.js'
import { lockFile } from '../../store/sqlite/file-lock.js'

export function hasConsent(library: Library, places: PackagePlaces, { canonical }: Location): boolean {
  return consentsOf(library, readConsents(consentFile(places))).includes(canonical)
}

/** Returns whether the consent is new. */
export function giveConsent(library: Library, places: PackagePlaces, { canonical }: Location) {
  return change(library, places, (before) => (before.includes(canonical) ? before : [...before, canonical]))
}

export function withdrawConsent(library: Library, places: PackagePlaces, { canonical }: Location) {
  return change(library, places, (before) => before.filter((one) => one !== canonical))
}

async function change(library: Library, places: PackagePlaces, to: (before: string[]) => string[]) {
  const file = consentFile(places)
  return lockFile(places.global, () => {
    const all = readConsents(file)
    const before = consentsOf(library, all)
    const after = to(before)
    if (after.length === before.length) return false
    const { [library.settings.root]: _own, ...others } = all
    writeConsents(file, after.length > 0 ? { ...others, [library.settings.root]: after } : others)
    return true
  })
}

function consentsOf({ settings: { root } }: Library, all: Consents): string[] {
  return Object.hasOwn(all, root) ? all[root]! : []
}

function consentFile({ global }: PackagePlaces): string {
  return join(dirname(global), 'allowed-packages.json')
}
