import type { Import } from '../../model/imports.js'
import type { Importer, Resolver } from './resolve.js'
import { firstFile, joined, type Tree, upwards } from './tree.js'

/**
 * Imports of Python. A relative one starts at the file's package; an absolute one where packages begin: above the
 * topmost package around the file, at the root, in `src`; beside the file only if that is a script and in no package.
 */
export function pythonResolver(importer: Importer): { find: Resolver; absent: Resolver } {
  const { tree, path } = importer
  const startOf = starts(importer)
  return {
    find(one) {
      const start = startOf(one)
      return start ? modules(tree, start, one.names, path) : []
    },
    absent(one) {
      const start = startOf(one)
      return start ? absentModules(tree, start, one.names) : []
    },
  }
}

/** A module by its names, from the folder where they begin. */
interface Start {
  place: string
  wanted: readonly string[]
}

function starts({ tree, folder, path }: Importer): (one: Import) => Start | null {
  const places = placesFor(tree, folder)
  return ({ specifier, names }) => {
    const relative = /^(\.+)(.*)$/.exec(specifier)
    if (relative) {
      const place = joined(folder, '../'.repeat(relative[1]!.length - 1))
      return place === null ? null : { place, wanted: parts(relative[2]!) }
    }
    const wanted = parts(specifier)
    const isStandard = standard.has(wanted[0] ?? '')
    const place =
      places.find((one) => {
        // A module of the standard library is found before one of the same name, unless more than its name is imported.
        if (
          wanted.length === 1 &&
          isStandard &&
          !names?.some((name) => isModule(tree, one, [...wanted, name]))
        )
          return false
        return modules(tree, { place: one, wanted }, names, path).length > 0
      }) ?? places.find((one) => !isStandard && wanted.length > 0 && tree.folder(joined(one, wanted[0]!)!))
    return place === undefined ? null : { place, wanted }
  }
}

function parts(dotted: string): string[] {
  return dotted.split('.').filter(Boolean)
}

function placesFor(tree: Tree, folder: string): string[] {
  const isPackage = (one: string) => tree.file(joined(one, '__init__.py')!) !== null
  const folders = upwards(folder)
  const above = folders.filter((one) => !isPackage(one))
  const usual = ['.', 'src', 'lib', 'python']
  return [
    ...new Set([...above, ...folders.flatMap((one) => usual.map((name) => joined(one, name)!))]),
  ].filter((one) => one === '.' || !isPackage(one))
}

/** The module itself, or those of its parts that are modules of their own. */
function modules(
  tree: Tree,
  { place, wanted }: Start,
  names: readonly string[] | undefined,
  self: string,
): string[] {
  const own = moduleFile(tree, place, wanted)
  const below = (names ?? [])
    .filter((name) => name !== '*')
    .map((name) => moduleFile(tree, place, [...wanted, name]))
  const found = below.filter((file) => file !== null)
  const others = !names || names.length > found.length
  const files = own !== null && others ? [own, ...found] : found
  return files.filter((file) => file !== self)
}

/** What is imported and has no file: a module that is yet to be generated, or a folder without an `__init__.py`. */
function absentModules(tree: Tree, { place, wanted }: Start, names: readonly string[] = []): string[] {
  const path = joined(place, ...wanted)
  if (path === null) return []
  const own = moduleFile(tree, place, wanted)
  const mayHoldModules = own === null ? tree.folder(path) : /(?:^|\/)__init__\.pyi?$/.test(own)
  if (!mayHoldModules) return own === null ? [`${path}.py`] : []
  return names
    .filter((name) => name !== '*' && !isModule(tree, place, [...wanted, name]))
    .map((name) => joined(path, name)!)
    .map((one) => (tree.folder(one) ? one : `${one}.py`))
    .concat(own === null ? [path] : [])
}

function isModule(tree: Tree, place: string, wanted: readonly string[]): boolean {
  return moduleFile(tree, place, wanted) !== null
}

function moduleFile(tree: Tree, place: string, wanted: readonly string[]): string | null {
  const path = joined(place, ...wanted)
  if (path === null) return null
  const init = ['__init__.py', '__init__.pyi'].map((name) => joined(path, name))
  if (wanted.length === 0) return firstFile(tree, init)
  return firstFile(tree, [init[0]!, `${path}.py`, init[1]!, `${path}.pyi`])
}

const standard = new Set(
  `
__future__ __main__ _thread abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect
io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
modulefinder msilib msvcrt multiprocessing netrc nis nntplib ntpath numbers operator optparse os ossaudiodev pathlib pdb
pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr
pydoc queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil
signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 ssl stat statistics string stringprep struct subprocess
sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token
tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave
weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`
    .split(/\s+/)
    .filter(Boolean),
)
