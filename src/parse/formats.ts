// Which files are read, and as what: the only tables of endings and names. The name alone decides, so a folder is sorted
// before a byte of it is read. A new format is a row of `formats` and its parser: in `parse.ts`, or for a converted format
// in `office/parse-office.ts`. A new language is a row of `code` or `data`.
import type { Format } from '../model/source.js'

interface FormatRow {
  /** Endings of its files. Code and data are recognised by language; any other file is text. */
  endings: string
  /** Whether a passage's lines are the file's, or those of a converted text. */
  lines: 'file' | 'text'
  /** The file itself can be opened as text. */
  isText: boolean
  /** A parser runs in a thread, a converter in a process that can be killed. */
  reader: 'parser' | 'converter'
}

const asWritten = { lines: 'file', isText: true, reader: 'parser' } as const
const asPage = { lines: 'text', isText: true, reader: 'parser' } as const
const converted = { lines: 'text', isText: false, reader: 'converter' } as const

const formats = {
  markdown: { endings: 'md markdown mdown mkd mdx mdc qmd rmd', ...asWritten },
  // `mdpage` is a page of the web as it is kept: Markdown that is read as a page.
  html: { endings: 'html htm xhtml mdpage', ...asPage },
  notebook: { endings: 'ipynb', ...asPage },
  text: { endings: '', ...asWritten },
  code: { endings: '', ...asWritten },
  data: { endings: '', ...asWritten },
  csv: { endings: 'csv tsv', ...converted, isText: true },
  pdf: { endings: 'pdf', ...converted },
  // The converters refuse the formats before 2007, OpenDocument and RTF with a better reason than "binary".
  docx: { endings: 'docx docm dotx dotm doc odt rtf', ...converted },
  pptx: { endings: 'pptx pptm ppsx potx ppt odp', ...converted },
  xlsx: { endings: 'xlsx xlsm xltx xls ods', ...converted },
  epub: { endings: 'epub', ...converted },
} satisfies Record<Format, FormatRow>

/** The formats that are converted to Markdown before they are read. */
export type OfficeFormat = {
  [F in Format]: (typeof formats)[F]['reader'] extends 'converter' ? F : never
}[Format]

/** The formats that `parse.ts` reads. A table may come as text, too. */
export type ParsedFormat = Exclude<Format, OfficeFormat> | 'csv'

/** Plain-text markups whose headings `text.ts` finds, by their extensions. */
const markups = { rst: 'rst', asciidoc: 'adoc asciidoc asc', org: 'org' }
export type Markup = keyof typeof markups

/** The format by name; null for files that are not text (pictures, archives, programs …). */
export function formatOf(path: string): { format: ParsedFormat; language: string | null } | null {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  const ending = endingOf(file)
  const language = byName.get(file) ?? byPrefix(file) ?? byEnding.get(ending)
  if (language !== undefined) return { format: formatOfLanguage(language), language }
  if (notText.has(ending)) return null
  const format = formatByEnding.get(ending) ?? 'text'
  return isOffice(format) ? null : { format, language: null }
}

/** The converted format that a path's ending names; null for all other files. */
export function officeFormatOf(path: string): OfficeFormat | null {
  const format = formatByEnding.get(/\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '')
  return format && isOffice(format) ? format : null
}

function isOffice(format: Format): format is OfficeFormat {
  return formats[format].reader === 'converter'
}

/** Whether the lines of a passage are those of a converted text, not the file's. */
export function hasConvertedLines(format: Format): boolean {
  return formats[format].lines === 'text'
}

/** Whether a file of this format can be opened as text. */
export function isTextFile(format: Format): boolean {
  return formats[format].isText
}

/** The markup of a plain text, by its extension. */
export function markupOf(path: string): Markup | undefined {
  return markupByEnding.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
}

function formatOfLanguage(language: string): ParsedFormat {
  if (language === 'csv') return 'csv'
  return dataLanguages.has(language) ? 'data' : 'code'
}

/** The canonical name of a language, from any name in a fence (`ts`, `TypeScript`, `shell-session`). */
export function languageNamed(name: string): string {
  const written = plainName(name.toLowerCase())
  if (isLanguage(written) || name.length > longestName) return written
  // `Python 3.12`, `C++17`, `TypeScript (React)`
  const bare = plainName(name.toLowerCase().replace(/[\s-]*(?:v?\d[\d.]*|\(.*\))$/, ''))
  return isLanguage(bare) ? bare : written
}

const longestName = 40

function plainName(lower: string): string {
  return aliases.get(lower) ?? aliases.get(lower.replaceAll(' ', '-')) ?? byEnding.get(lower) ?? lower
}

/** Whether this is the canonical name of a language. */
export function isLanguage(name: string): boolean {
  return codeLanguages.has(name) || dataLanguages.has(name) || name === 'html' || name === 'markdown'
}

/** The names of all languages. */
export function languageNames(): string[] {
  return [...codeLanguages, ...dataLanguages, 'html', 'markdown']
}

/** The language of a script by its first line; null if unknown. */
export function languageOfScript(text: string): string | null {
  const line = /^#!([^\r\n]*)/.exec(text.slice(0, 200))?.[1]
  if (line === undefined) return null
  const words = line.split(/\s+/).map((word) => word.slice(word.lastIndexOf('/') + 1))
  const program = words.find((word) => word !== '' && word !== 'env' && !/^-|=/.test(word)) ?? ''
  const name = languageNamed(program.replace(/[\d.]+$/, ''))
  return codeLanguages.has(name) ? name : null
}

/** Whether only the first line can give the language. */
export function mayBeScript(path: string): boolean {
  return !path.slice(path.lastIndexOf('/') + 1).includes('.') && formatOf(path)?.language === null
}

/** Pictures, sound and film: a note embeds them and does not link to them. */
export function isMedia(path: string): boolean {
  return media.has(endingOf(path.toLowerCase()))
}

/** Markdown whose markup is JSX. */
export function isMdx(path: string): boolean {
  return endingOf(path.toLowerCase()) === 'mdx'
}

function endingOf(file: string): string {
  const dot = file.lastIndexOf('.')
  return dot <= 0 ? '' : file.slice(dot + 1)
}

// Dockerfile.dev, .env.local, .eslintrc.custom: the name leads and the rest varies.
function byPrefix(file: string): string | undefined {
  if (/^(dockerfile|containerfile)\./.test(file)) return 'dockerfile'
  if (/^(gnu)?makefile\./.test(file)) return 'makefile'
  if (/^\.env\./.test(file)) return 'dotenv'
  return undefined
}

const code = table(`
typescript:   ts mts cts tsx
javascript:   js mjs cjs jsx es6
python:       py pyi pyw pyx bzl star = sconstruct sconscript build.bazel workspace.bazel
go:           go
rust:         rs
java:         java
kotlin:       kt kts
scala:        scala sc sbt
groovy:       groovy gradle gvy = jenkinsfile
clojure:      clj cljs cljc edn bb
c:            c h
cpp:          cc cpp cxx c++ hpp hh hxx h++ ipp tpp ino inl
csharp:       cs csx
fsharp:       fs fsi fsx
vb:           vb vbs bas
ruby:         rb rbi rake gemspec ru podspec = gemfile rakefile guardfile podfile vagrantfile fastfile brewfile capfile
php:          php phtml php3 php4 php5 phps
swift:        swift
objectivec:   m mm
dart:         dart
lua:          lua luau
perl:         pl pm pod t
r:            r
julia:        jl
haskell:      hs lhs
ocaml:        ml mli
elm:          elm
elixir:       ex exs heex leex
erlang:       erl hrl escript
nim:          nim nims
zig:          zig zon
crystal:      cr
d:            d di
vlang:        vsh vv
ada:          adb ads
fortran:      f f77 f90 f95 f03 f08 for
pascal:       pas dpr pp lpr
cobol:        cob cbl
lisp:         lisp lsp cl el
scheme:       scm ss rkt
prolog:       pro prolog
tcl:          tcl
smalltalk:    st
solidity:     sol
vyper:        vy
move:         move
cairo:        cairo
wat:          wat wast
assembly:     asm s nasm
cuda:         cu cuh
glsl:         glsl vert frag geom comp hlsl wgsl metal
verilog:      v sv svh vh
vhdl:         vhd vhdl
shell:        sh bash zsh ksh fish ash dash command bats = .bashrc .bash_profile .bash_aliases .zshrc .zprofile .zshenv .profile pkgbuild
powershell:   ps1 psm1 psd1
batch:        bat cmd
awk:          awk gawk
sed:          sed
sql:          sql psql ddl dml pgsql plsql
graphql:      graphql gql graphqls
protobuf:     proto
thrift:       thrift
capnp:        capnp
css:          css
scss:         scss sass
less:         less
stylus:       styl
vue:          vue
svelte:       svelte
astro:        astro
handlebars:   hbs handlebars mustache
jinja:        j2 jinja jinja2 njk
liquid:       liquid
twig:         twig
erb:          erb
ejs:          ejs
pug:          pug jade haml slim
razor:        cshtml razor
terraform:    tf tfvars hcl nomad
bicep:        bicep
nix:          nix
dhall:        dhall
cue:          cue
jsonnet:      jsonnet libsonnet
rego:         rego
puppet:       epp
dockerfile:   dockerfile = dockerfile containerfile
makefile:     mk mak make = makefile gnumakefile bsdmakefile kbuild
cmake:        cmake = cmakelists.txt
just:         just = justfile .justfile
meson:        = meson.build meson_options.txt
ninja:        ninja
starlark:     = build workspace tiltfile buck
bazelrc:      = .bazelrc
vim:          vim = .vimrc
applescript:  applescript
autohotkey:   ahk
gdscript:     gd
matlab:       matlab
mermaid:      mmd mermaid
plantuml:     puml plantuml
dot:          dot gv
http:         http rest
diff:         diff patch
`)

const data = table(`
json:        json jsonc json5 jsonl ndjson geojson webmanifest har avsc = .babelrc .eslintrc .prettierrc .swcrc .jshintrc composer.lock
yaml:        yaml yml = .clang-format .clang-tidy
toml:        toml = pipfile cargo.lock poetry.lock uv.lock
xml:         xml xsd xsl xslt wsdl rss atom plist csproj fsproj vbproj props targets nuspec resx pom kml gpx config
ini:         ini cfg conf cnf desktop service socket timer properties reg inf = .editorconfig .gitconfig .npmrc .yarnrc .pylintrc .flake8 .coveragerc .gitmodules .hgrc
dotenv:      env = .env
ignore:      = .gitignore .dockerignore .npmignore .eslintignore .prettierignore .gitattributes codeowners
csv:         csv tsv
`)

const codeLanguages = new Set(code.map(([language]) => language))
const dataLanguages = new Set(data.map(([language]) => language))
const byEnding = new Map(
  [...code, ...data].flatMap(([language, endings]) => endings.map((e) => [e, language])),
)
const byName = new Map([...code, ...data].flatMap(([language, , names]) => names.map((n) => [n, language])))

const aliases = pairs(`
golang=go rustlang=rust c++=cpp c#=csharp cs=csharp f#=fsharp objc=objectivec objective-c=objectivec node=javascript
nodejs=javascript deno=typescript bun=typescript jsx=javascript tsx=typescript python=python py3=python pycon=python
console=shell shell-session=shell shellsession=shell terminal=shell sh-session=shell posix=shell pwsh=powershell ps=powershell
docker=dockerfile make=makefile tf=terraform hcl=terraform proto3=protobuf yml=yaml jsonc=json json5=json md=markdown
postgres=sql postgresql=sql mysql=sql sqlite=sql emacs-lisp=lisp elisp=lisp viml=vim vimscript=vim text=text txt=text
typescriptreact=typescript typescript-react=typescript javascriptreact=javascript ecmascript=javascript es=javascript
c-sharp=csharp f-sharp=fsharp vb.net=vb visual-basic=vb plpgsql=sql t-sql=sql tsql=sql
plaintext=text plain=text htm=html xhtml=html svg=xml patch=diff asm=assembly
`)

const formatByEnding = byEndings(
  Object.entries(formats).map(([name, { endings }]) => [name as Format, endings]),
)
const markupByEnding = byEndings(Object.entries(markups) as [Markup, string][])

/** Every format, for whoever treats most of them alike. */
export const formatNames = Object.keys(formats) as Format[]

export const markdownEndings = words(formats.markdown.endings)

const media = new Set(
  words(`
png jpg jpeg jpe gif bmp tif tiff webp avif heic heif ico icns svg svgz psd ai eps xcf raw cr2 nef jxl
mp3 wav flac ogg oga opus m4a aac aiff mid midi wma mp4 m4v mov avi mkv webm mpg mpeg wmv flv 3gp ogv
`),
)

const notText = new Set([
  ...media,
  ...words(`
dot pps xlsb odg mobi azw3 djvu pages numbers key vsd vsdx
zip tar gz tgz bz2 tbz xz txz zst lz4 lzma 7z rar jar war ear apk aab ipa deb rpm dmg iso img cab msi crx xpi vsix whl egg gem nupkg
exe dll so dylib a o obj lib pdb class pyc pyo pyd wasm node bin dat elf ko sys efi rom hex
ttf otf woff woff2 eot pfb
db sqlite sqlite3 db3 mdb accdb ldf mdf frm ibd realm parquet arrow feather avro orc h5 hdf5 npy npz mat pkl pickle rds rdata
onnx pt pth safetensors gguf ggml tflite pb ckpt weights model
blend fbx glb stl 3ds max dwg dxf skp usdz
map swp swo tmp lockb keystore jks p12 pfx der crt cer
`),
])

/** Rows `language: endings = file names`. */
function table(rows: string): [string, string[], string[]][] {
  return rows
    .trim()
    .split('\n')
    .map((row) => {
      const [language, rest] = [row.slice(0, row.indexOf(':')), row.slice(row.indexOf(':') + 1)]
      const [endings, names] = rest.split('=')
      return [language, words(endings ?? ''), words(names ?? '')]
    })
}

function pairs(text: string): Map<string, string> {
  return new Map(words(text).map((pair) => pair.split('=') as [string, string]))
}

function byEndings<T>(rows: readonly [T, string][]): Map<string, T> {
  return new Map(rows.flatMap(([name, endings]) => words(endings).map((ending) => [ending, name])))
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}
