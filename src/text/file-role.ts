// What part a file plays in a project. This is the one place that decides what a test, a translation, a generated, a vendored,
// a minified or a lock file is; all tools ask it.

export type FileRole =
  | 'code'
  | 'docs'
  | 'test'
  | 'fixture'
  | 'example'
  | 'generated'
  | 'translation'
  | 'vendored'
  | 'minified'
  | 'lock'
  | 'changelog'
  | 'config'
  | 'data'

/** What the other files of a project say about its folders. */
export interface ProjectLayout {
  /** Folders called `test` that hold tests. Others of that name are product code, such as `django/test`. */
  readonly testFolders: ReadonlySet<string>
}

/** Reads the layout from the paths of a project's files. */
export function projectLayout(paths: Iterable<string>): ProjectLayout {
  const [withTests, roots] = [new Set<string>(), new Set([''])]
  const candidates = new Set<string>()
  for (const path of paths) {
    const name = nameOf(path)
    const folder = path.slice(0, Math.max(0, path.length - name.length - 1))
    if (buildFile.test(name)) roots.add(folder)
    for (const { index, 0: part } of `${folder}/`.matchAll(/(?:^|(?<=\/))tests?\//gi)) {
      const at = folder.slice(0, index + part.length - 1)
      candidates.add(at)
      if (testName.test(name)) withTests.add(at)
    }
  }
  const parentOf = (folder: string) => folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
  return {
    testFolders: new Set(
      [...candidates].filter((folder) => withTests.has(folder) || roots.has(parentOf(folder))),
    ),
  }
}

/**
 * The role of a file, by its path and the project's layout. Without a layout, every folder called `test` holds tests.
 * `head` is the beginning of its text: generated code says so there.
 */
export function fileRole(path: string, layout?: ProjectLayout, head = ''): FileRole {
  const name = nameOf(path)
  const folders = `/${path.slice(0, path.length - name.length)}`
  if (lockFile.test(name)) return 'lock'
  if (minifiedFile.test(name)) return 'minified'
  if (vendoredFolder.test(folders)) return 'vendored'
  if (generatedFile.test(name) || generatedFolder.test(`/${path}`) || generatedHead.test(head))
    return 'generated'
  if (catalogue.test(name) || translatedFile.test(path)) return 'translation'
  if (fixtureFolder.test(folders)) return 'fixture'
  if (testName.test(name) || testFolder.test(folders) || specFolder.test(`/${path}`)) return 'test'
  if (isBelowTests(path, folders, layout)) return 'test'
  if (newsFolder.test(folders) || (changelog.test(name) && !isPageOfManual(name, folders))) return 'changelog'
  if (docsFile.test(name)) return 'docs'
  if (exampleFolder.test(folders)) return 'example'
  if (configFile.test(name)) return 'config'
  return dataFile.test(name) ? 'data' : 'code'
}

/** Roles that a reader rarely asks for: they are shown apart, or below the rest. */
export function isSideRole(role: FileRole): boolean {
  return sideRoles.has(role)
}

const sideRoles = new Set<FileRole>([
  'test',
  'fixture',
  'generated',
  'translation',
  'vendored',
  'minified',
  'lock',
  'changelog',
])

/** `docs/commands/history.md` is a page about histories. */
function isPageOfManual(name: string, folders: string): boolean {
  return folders !== '/' && /^(?:history|news|releases|changes)\./.test(name)
}

function isBelowTests(path: string, folders: string, layout: ProjectLayout | undefined): boolean {
  if (!/\/tests?\//i.test(folders)) return false
  if (!layout) return true
  for (const { index, 0: part } of path.matchAll(/(?:^|(?<=\/))tests?\//gi))
    if (layout.testFolders.has(path.slice(0, index + part.length - 1))) return true
  return false
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

const buildFile =
  /^(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Gemfile|.*\.(?:gemspec|csproj|fsproj|cabal)|CMakeLists\.txt|Makefile|mix\.exs|deno\.jsonc?)$/
// By the habits of each language: `test_list.rs` is product code, `slow-tests.md` a page about tests.
const testName = new RegExp(
  [
    /\.(?:test|tests|spec|specs|e2e|cy)\.(?!md|rst|txt|html?|adoc)\w+$/,
    /[-_](?:test|tests|spec|specs|e2e)\.[cm]?[jt]sx?$/,
    /_(?:test|tests|spec)\.(?:go|py|rb|rs|c|cc|cpp|cxx|h|hpp|dart|exs?|clj|lua|ml|php|sh|zig|nim|swift|jl|erl|hs)$/,
    /^test_[^/]*\.(?:py|rb|c|cc|cpp|cxx|h|hpp|lua|sh|jl|php|ml|nim)$/,
    /^(?:conftest|tests)\.py$|^tests\.rs$/,
    /[a-z\d](?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|kts|scala|groovy|cs|fs|php|swift)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
const testFolder = /\/(?:__tests__|__mocks__|e2e|src\/(?:androidTest|integrationTest|testFixtures))\//i
/** Of Ruby and JavaScript. Elsewhere, and in Markdown, it holds specifications. */
const specFolder = /\/spec\/(?:.*\/)?[^/]+\.(?:rb|[cm]?[jt]sx?)$/i
const fixtureFolder = /\/(?:__fixtures__|fixtures?|testdata|test-data|__snapshots__|cassettes|golden)\//i
const lockFile =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|mix\.lock|flake\.lock|Podfile\.lock|gradle\.lockfile|deno\.lock|packages\.lock\.json)$/
const minifiedFile = /[.-]min\.(?:js|mjs|cjs|css)$|\.(?:js|css)\.map$|\.bundle\.js$/i
const vendoredFolder =
  /\/(?:vendor|vendored|third_party|third-party|thirdparty|node_modules|bower_components|\.yarn)\//i
const generatedFile =
  /\.(?:generated|gen|pb|pb\.gw|g)\.\w+$|_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|ts|d\.ts)$|^zz_generated|_generated\.\w+$|_gen\.(?:go|py|rs|[cm]?[jt]s)$|\.designer\.cs$/i
/** Migrations of Django are numbered, and written by a program. */
const generatedFolder = /\/(?:generated|__generated__|gen-src|autogen)\/|\/migrations\/\d{4}_\w+\.py$/i
const generatedHead =
  /^(?:.*\r?\n){0,12}?(?:\W*\s)?(?:Code generated .{0,80}DO NOT EDIT|@generated\b|This file (?:is|was) (?:auto(?:matically)?[- ]?)generated|AUTO-?GENERATED FILE)/i
/** Catalogues of texts in all languages, which repeat the texts of the program. */
const catalogue = /\.(?:po|pot|xlf|xliff)$/i
/** `locales/de.json`, `i18n/pt-BR/common.yml`: the texts of the program in a language other than English. */
const translatedFile =
  /(?:^|\/)(?:locales?|i18n|lang|languages|translations?|messages)\/(?:.*\/)?(?:[\w-]*[._])?(?!en\b|en[-_])(?:[a-z]{2}|[a-z]{2}[-_][A-Za-z]{2,4})(?:\/[^/]+)?\.(?:json|ya?ml|properties|ftl|arb|strings|toml|php)$/
const changelog =
  /^(?:changelog|changes|release[-_]?notes)(?:[.\-_].*)?$|^(?:HISTORY|NEWS|RELEASES)(?:\.\w+)?$/i
/** Folders with a file for each change, which a program joins: of towncrier, changesets and others. */
const newsFolder = /\/(?:CHANGES|newsfragments|changelog\.d|changes\.d|\.changeset|\.changes)\//
const docsFile =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|org|txt|tex|html?|ipynb|pdf|docx?|pptx?|epub|[1-8])$|^(?:readme|license|copying|authors|notice|contributing|security)(?:\.\w+)?$/i
const exampleFolder = /\/(?:examples?|samples?|demos?)\//i
const configFile =
  /^\.|\.config\.\w+$|\.(?:toml|ini|cfg|conf|properties|ya?ml|editorconfig|env)$|^(?:package|tsconfig.*|jsconfig|biome|deno|composer|angular|nx|turbo|lerna)\.jsonc?$|^(?:makefile|dockerfile|containerfile|rakefile|gemfile|justfile|go\.(?:mod|work)|build\.gradle(?:\.kts)?|pom\.xml|cmakelists\.txt)$/i
const dataFile = /\.(?:json|jsonl|jsonc|csv|tsv|xml|svg|snap|xlsx?)$/i
