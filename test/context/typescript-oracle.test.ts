// The compiler's own parser and resolver say which files a file imports; ours must say the same, no more and no less.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript-5'
import { readImports } from '../../src/parse/imports/read-imports.js'
import { resolveImports } from '../../src/sources/imports/resolve.js'
import { projectRoot, temporaryFolder } from '../support/world.js'
import { projects, writeMonorepo } from './monorepo.js'

interface Wanted {
  specifier: string
  /** The literal decides how it is resolved; none for a reference to a path. */
  node: ts.StringLiteralLike | null
}

test('the monorepo is resolved as the compiler does', async (t) => {
  const root = temporaryFolder(t)
  writeMonorepo(root)
  let compared = 0
  for (const { folder, config } of projects) compared += await compare(root, folder, config)
  assert.ok(compared > 60, `${compared} dependencies were compared`)
})

test('this repository is resolved as the compiler does', async () => {
  let compared = 0
  for (const folder of ['src/ingest', 'src/parse', 'evals'])
    compared += await compare(projectRoot, folder, 'tsconfig.json')
  assert.ok(compared > 300, `${compared} dependencies were compared`)
})

/** Every script of a folder, by both. Returns how many dependencies agreed. */
async function compare(root: string, folder: string, config: string): Promise<number> {
  const compiler = compilerFor(root, config)
  let agreed = 0
  for (const path of scriptsIn(root, folder)) {
    const text = readFileSync(join(root, path), 'utf8')
    const imports = (await readImports(path, text))!
    const { dependencies, error } = await resolveImports(root, path, imports)
    const expected = compiler(path, text)
    const found = dependencies.map((one) => one.path).sort()
    assert.deepEqual(found, expected, `${path} ${imports.error ?? error ?? ''}`)
    agreed += found.length
  }
  return agreed
}

function scriptsIn(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(?:[mc]?[jt]s|[jt]sx)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('node_modules'))
    .sort()
}

function compilerFor(root: string, config: string) {
  const read = ts.readConfigFile(join(root, config), ts.sys.readFile)
  const parsed = ts.parseJsonConfigFileContent(
    read.config,
    ts.sys,
    dirname(join(root, config)),
    undefined,
    join(root, config),
  )
  // Without this, a script is never an answer. Ours gives what is there.
  const options: ts.CompilerOptions = { ...parsed.options, allowJs: true, resolveJsonModule: true }
  const cache = ts.createModuleResolutionCache(root, (name) => name, options)
  return (path: string, text: string): string[] => {
    const file = join(root, path)
    const format = ts.getImpliedNodeFormatForFile(
      file as never,
      cache.getPackageJsonInfoCache(),
      ts.sys,
      options,
    )
    const source = ts.createSourceFile(
      file,
      text,
      { languageVersion: ts.ScriptTarget.Latest, impliedNodeFormat: format },
      true,
    )
    const found = wantedBy(source).flatMap(({ specifier, node }) => {
      const target = node
        ? ts.resolveModuleName(
            specifier,
            file,
            options,
            ts.sys,
            cache,
            undefined,
            ts.getModeForUsageLocation(source, node, options),
          ).resolvedModule?.resolvedFileName
        : join(dirname(file), specifier)
      return target && existsSync(target) ? [relative(root, realpathSync(target))] : []
    })
    const inside = found.filter(
      (one) => !one.startsWith('..') && !one.includes('node_modules') && one !== path,
    )
    return [...new Set(inside)].sort()
  }
}

function wantedBy(source: ts.SourceFile): Wanted[] {
  const found: Wanted[] = source.referencedFiles.map(({ fileName }) => ({ specifier: fileName, node: null }))
  const add = (node: ts.Node | undefined) => {
    if (node && ts.isStringLiteralLike(node)) found.push({ specifier: node.text, node })
  }
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier)
    else if (ts.isExternalModuleReference(node)) add(node.expression)
    else if (ts.isImportTypeNode(node))
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined)
    else if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) add(node.name)
    else if (ts.isCallExpression(node) && isLoading(node)) add(node.arguments[0])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isLoading({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require')
  )
}
