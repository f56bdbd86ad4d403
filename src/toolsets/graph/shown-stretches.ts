// What a reader knows of a note's file.

import type { Library } from '../../answer/library.js'
import {
  everything,
  fileOfRef,
  type Reader,
  recordShown,
  type Stretch,
  shownOf,
} from '../../answer/shown-to-client.js'
import { bodyStart } from '../../graph/frontmatter.js'
import type { Spot } from './vaults.js'

/** What the reader was shown of a note as it was with that hash; null when that is not known. */
export function shownTo(library: Library, reader: Reader, spot: Spot, hash: string) {
  const file = fileAt(library, spot)
  return file === null ? null : shownOf(library, reader, { file, hash })
}

/** Whether that is all of its body. */
export function isAll(text: string, shown: readonly Stretch[] | null): boolean {
  const start = bodyStart(text)
  return shown?.some((one) => one.start <= start && one.end >= text.length) ?? false
}

/** Who wrote a text knows it, though the answer shows the beginning only. */
export function knowsAll(library: Library, reader: Reader, spot: Spot, hash: string) {
  const file = fileAt(library, spot)
  if (file !== null) recordShown(library, reader, { file, hash, whole: true, shown: everything })
}

function fileAt(library: Library, { vault, path }: Spot): string | null {
  return fileOfRef(library, { source: vault.source.id, path })
}
