import type { Importer, Resolver } from './resolve.js'
import { firstFile, joined, type Tree, upwards } from './tree.js'

/**
 * Imports of Python. A relative one starts at the file's package; an absolute one where packages begin: above the
 * topmost package around the file, at the root, in `src`; beside the file only if that is a script and in no package.
 */
export function pythonResolver({ tree, folder, path }: Importer): Resolver {
  const places = placesFor(tree, folder)
  return ({ specifier, names }) => {
    const relative = /^(\.+)(.*)$/.exec(specifier)
    if (relative) {
      const up = '../'.repeat(relative[1]!.length - 1)
      const start = joined(folder, up)
      return start === null ? [] : modules(tree, start, parts(relative[2]!), names, path)
    }
    const wanted = parts(specifier)
    for (const place of places) {
      // A module of the standard library is found before one of the same name, unless it is asked for more than its name.
      if (
        wanted.length === 1 &&
        standard.has(wanted[0]!) &&
        !names?.some((name) => isModule(tree, place, [...wanted, name]))
      )
        continue
      const found = modules(tree, place, wanted, names, path)
      if (found.length > 0) return found
    }
    return []
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
  place: string,
  wanted: readonly string[],
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
