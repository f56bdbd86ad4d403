// Bundles what ships: the command line, the library, and the files that they start by name. One file loads faster than the
// hundreds it is made of, and what a command does not need stays in chunks of its own.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const from = join(root, 'dist/src')
const to = join(root, 'dist/bundle')

/** Loaded for every command. */
const door = 'app/engine/door'
/** Everything else that runs in the main process. One script, so that V8's code cache of it is one file
 * (`src/app/engine/load-program.ts`). */
const program = 'program'
/** Programs of other threads and processes share chunks. All names are theirs alone, because they lie in one folder. */
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
const entries = [door, program, ...children]

// Packages of plain JavaScript that most commands load; users do not install them. Of liteparse they install the package
// of their platform alone: the main one brings another platform's binary along. Two are ES modules, which a script cannot
// require. The others stay in node_modules: they have binaries, start files of their own by name, or are needed rarely.
const bundled =
  /^(commander|zod|@modelcontextprotocol\/server|yaml|jsonc-parser|stemmer|bidi-js|pino|cockatiel|ipaddr\.js|@llamaindex\/liteparse|markdown-it|htmlparser2|@mdream\/js)(\/|$)/

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

/** A module finds its files from its own place. In a bundle it names the entry beside it, or the place that it had. A
 * script is given the function that imports packages: Node calls its own an experiment there. */
const places = (url) => ({
  name: 'places',
  setup({ onLoad, initialOptions }) {
    const isScript = initialOptions.format === 'cjs'
    onLoad({ filter: /[\\/]dist[\\/]src[\\/].*\.js$/ }, ({ path }) => {
      const compiled = readFileSync(path, 'utf8')
      const text = isScript ? compiled.replace(importOfPackage, "importPackage('$1')") : compiled
      if (text === compiled && !text.includes('import.meta.url')) return undefined
      const own = `../src/${relative(from, path).split(sep).join('/')}`
      const contents = text.replace(
        /new URL\('([^']*)', import\.meta\.url\)|import\.meta\.url/g,
        (_, file) => {
          if (file?.endsWith('.js')) return `new URL('./${entryName(file)}.js', ${url})`
          const place = `new URL('${own}', ${url})`
          return file === undefined ? `${place}.href` : `new URL('${file}', ${place})`
        },
      )
      return { contents, loader: 'js' }
    })
  },
})

const importOfPackage = /(?<![\w.])import\('([^'.][^']*)'\)/g

const options = {
  outdir: to,
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'],
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  logLevel: 'warning',
  metafile: true,
}
const asScript = (entry, { extension, banner = '', footer = '' }) => ({
  ...options,
  entryPoints: [join(from, `${entry}.js`)],
  format: 'cjs',
  outExtension: { '.js': extension },
  plugins: [packages, places('carrelUrl')],
  banner: { js: `${banner}"use strict";const carrelUrl=require('node:url').pathToFileURL(__filename).href;` },
  footer: { js: footer },
})
const built = await Promise.all([
  build(asScript(door, { extension: '.cjs' })),
  // A function that `load-program.ts` calls.
  build(
    asScript(program, {
      extension: '.js',
      banner: '(function(exports,require,module,__filename,importPackage){',
      footer: '})',
    }),
  ),
  build({
    ...options,
    entryPoints: children.map((entry) => join(from, `${entry}.js`)),
    chunkNames: 'chunk-[hash]',
    splitting: true,
    format: 'esm',
    plugins: [packages, places('import.meta.url')],
    banner: {
      js: "import{createRequire as carrelRequire}from'node:module';const require=carrelRequire(import.meta.url);",
    },
  }),
])
const outputs = built.flatMap(({ metafile }) => Object.keys(metafile.outputs))
const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
// Chunks of an earlier build go last: a program that still runs loads some of them late, and most are the same.
const written = new Set([...outputs.map((file) => basename(file)), 'index.js'])
for (const file of readdirSync(to)) if (!written.has(file)) rmSync(join(to, file))
writeFileSync(
  join(to, 'index.js'),
  "import door from './door.cjs'\nexport const { openCarrel, Problem } = await door.loadLibrary()\n",
)
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

function entryName(file) {
  const name = basename(file, '.js')
  if (!entries.some((entry) => basename(entry) === name))
    throw new Error(`scripts/bundle.mjs does not list ${file}, which the program starts by name.`)
  return name
}
