// Bundles what ships: the command line, the library, and the files that they start by name. One file loads faster than the
// hundreds it is made of, and what a command does not need stays in chunks of its own.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const from = join(root, 'dist/src')
const to = join(root, 'dist/bundle')

// Bundled in three groups: files that share code are cut into as many chunks as there are combinations of who needs what,
// and each chunk costs time to load. Their names are theirs alone, because all of them lie in one folder.
/** Loaded for every command, so it is one file. */
const door = 'app/engine/door'
/** One process loads them: what they remember must not exist twice. */
const programs = ['index', 'app/main', 'app/engine/relay']
const children = [
  'app/audit-child',
  'embed/worker',
  'ingest/convert/convert-child',
  'ingest/convert/watchdog',
  'ingest/import-child',
  'ingest/parse-worker',
  'parse/symbol-worker',
  'sources/ripgrep-helper-child',
  'store/sqlite/checkpoint-worker',
  'toolsets/architecture/judge/judge-child',
]
const entries = [door, ...programs, ...children]

// Packages of plain JavaScript that most commands load; users do not install them. Of liteparse they install the package
// of their platform alone: the main one brings another platform's binary along. The others stay in node_modules: they
// have binaries, start files of their own by name, or are needed rarely.
const bundled =
  /^(commander|zod|@modelcontextprotocol\/server|yaml|jsonc-parser|stemmer|bidi-js|pino|cockatiel|ipaddr\.js|@llamaindex\/liteparse)(\/|$)/

/** A package inside a bundled package is bundled too. */
const packages = {
  name: 'packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) =>
      path.startsWith('node:') || bundled.test(path) || importer.includes(`${sep}node_modules${sep}`)
        ? undefined
        : { path, external: true },
    )
  },
}

/** A module finds its files from its own place. In a bundle it names the entry beside it, or the place that it had. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dist[\\/]src[\\/].*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const own = `../src/${relative(from, path).split(sep).join('/')}`
      const contents = text.replace(
        /new URL\('([^']*)', import\.meta\.url\)|import\.meta\.url/g,
        (_, file) => {
          if (file?.endsWith('.js')) return entryUrl(file)
          const place = `new URL('${own}', import.meta.url)`
          return file === undefined ? `${place}.href` : `new URL('${file}', ${place})`
        },
      )
      return { contents, loader: 'js' }
    })
  },
}

/** The door leaves what it imports late to the programs. */
const behindDoor = {
  name: 'behind-door',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path)}`, external: true } : undefined,
    )
  },
}

const options = {
  outdir: to,
  entryNames: '[name]',
  chunkNames: 'chunk-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  mainFields: ['module', 'main'],
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  logLevel: 'warning',
  banner: {
    js: "import{createRequire as carrelRequire}from'node:module';const require=carrelRequire(import.meta.url);",
  },
  metafile: true,
}
const groups = [
  { entries: [door], plugins: [behindDoor, packages, places] },
  { entries: programs, plugins: [packages, places] },
  { entries: children, plugins: [packages, places] },
]
const built = await Promise.all(
  groups.map(({ entries, plugins }) =>
    build({ ...options, plugins, entryPoints: entries.map((entry) => join(from, `${entry}.js`)) }),
  ),
)
const outputs = built.flatMap(({ metafile }) => Object.keys(metafile.outputs))
const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
// Chunks of an earlier build go last: a program that still runs loads some of them late, and most are the same.
const written = new Set(outputs.map((file) => basename(file)))
for (const file of readdirSync(to)) if (!written.has(file)) rmSync(join(to, file))
writeFileSync(join(to, 'LICENSES.txt'), licenses(inputs))

/** The licenses of the bundled packages, which go with their code. */
function licenses(files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const text = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
      const head = `${name} ${version} (${license ?? 'see its page'})\n\n`
      return head + (text ? readFileSync(join(folder, text), 'utf8') : '')
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function entryUrl(file) {
  const name = basename(file, '.js')
  if (!entries.some((entry) => basename(entry) === name))
    throw new Error(`scripts/bundle.mjs does not list ${file}, which the program starts by name.`)
  return `new URL('./${name}.js', import.meta.url)`
}
