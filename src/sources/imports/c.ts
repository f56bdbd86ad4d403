import type { Importer, Resolver } from './resolve.js'
import { firstFile, joined, upwards } from './tree.js'

/**
 * Includes of C and C++: beside the file, then where compilers are usually told to look, from the nearest folder up to
 * the root, and where `compile_flags.txt` says. `<x.h>` is not looked for beside the file.
 */
export function cResolver({ tree, folder }: Importer): Resolver {
  const folders = upwards(folder)
  const told = folders.flatMap((one) => flags(tree.text(joined(one, 'compile_flags.txt')!), one))
  const usual = folders.flatMap((one) =>
    ['include', 'inc', 'src', '', 'lib'].map((name) => joined(one, name)),
  )
  const places = [...told, ...usual]
  return ({ specifier, form }) => {
    const where = form === 'system' ? places.filter((place) => place !== folder) : [folder, ...places]
    const found = firstFile(
      tree,
      where.map((place) => (place === null ? null : joined(place, specifier))),
    )
    return found === null ? [] : [found]
  }
}

function flags(text: string | null, folder: string): (string | null)[] {
  if (text === null) return []
  return [...text.matchAll(/^(?:-I|-iquote|-isystem)\s*(\S.*)$/gm)]
    .slice(0, 100)
    .map(([, place]) => (place!.startsWith('/') ? null : joined(folder, place!.trim())))
}
