import type { Importer, Resolver } from './resolve.js'
import { joined, type Tree, upwards } from './tree.js'

/** Imports of Go: a package is a folder, and its files are all that are in it but tests. */
export function goResolver({ tree, folder }: Importer): Resolver {
  const modules = modulesFor(tree, folder)
  return ({ specifier }) => {
    if (/^\.\.?\//.test(specifier)) return packageFiles(tree, joined(folder, specifier))
    for (const { name, place } of modules) {
      if (specifier !== name && !specifier.startsWith(`${name}/`)) continue
      const files = packageFiles(tree, joined(place, specifier.slice(name.length + 1)))
      if (files.length > 0) return files
    }
    return []
  }
}

interface Module {
  name: string
  place: string
}

/** The module around the file, what it replaces by folders, and its neighbours in the workspace; longest names first. */
function modulesFor(tree: Tree, folder: string): Module[] {
  const folders = upwards(folder)
  const own = folders.find((one) => tree.text(joined(one, 'go.mod')!) !== null)
  const work = folders.find((one) => tree.text(joined(one, 'go.work')!) !== null)
  const found = [
    ...(own === undefined ? [] : [...moduleAt(tree, own), ...replaced(tree, own, 'go.mod')]),
    ...(work === undefined ? [] : [...replaced(tree, work, 'go.work'), ...used(tree, work)]),
  ]
  return found.sort((a, b) => b.name.length - a.name.length)
}

function moduleAt(tree: Tree, place: string): Module[] {
  const name = /^[ \t]*module\s+(?:"([^"]+)"|(\S+))/m.exec(plain(tree.text(joined(place, 'go.mod')!)))
  return name ? [{ name: (name[1] ?? name[2])!, place }] : []
}

const most = 500

function replaced(tree: Tree, place: string, file: string): Module[] {
  const text = plain(tree.text(joined(place, file)!))
  const rows = [
    ...text.matchAll(/^[ \t]*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\.\.?(?:\/\S*)?)\s*$/gm),
  ].slice(0, most)
  return rows.flatMap(([, name, to]) => {
    const target = joined(place, unquoted(to!))
    return target === null ? [] : [{ name: unquoted(name!), place: target }]
  })
}

function used(tree: Tree, place: string): Module[] {
  const text = plain(tree.text(joined(place, 'go.work')!))
  const block = [...text.matchAll(/^[ \t]*use\s*\(([^)]*)\)/gm)].flatMap(([, rows]) => rows!.split('\n'))
  const single = [...text.matchAll(/^[ \t]*use\s+([^\s(]\S*)/gm)].map(([, row]) => row!)
  return [...block, ...single]
    .map((row) => unquoted(row.trim()))
    .filter((row) => row !== '' && !row.startsWith('/'))
    .slice(0, most)
    .flatMap((row) => {
      const target = joined(place, row)
      return target === null ? [] : moduleAt(tree, target)
    })
}

function plain(text: string | null): string {
  return (text ?? '').replace(/\/\/[^\n]*/g, '').replaceAll('\r', '')
}

function unquoted(text: string): string {
  return text.replace(/^["`]|["`]$/g, '')
}

function packageFiles(tree: Tree, folder: string | null): string[] {
  if (folder === null) return []
  return tree
    .names(folder)
    .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go') && !/^[._]/.test(name))
    .flatMap((name) => tree.file(joined(folder, name)!) ?? [])
}
