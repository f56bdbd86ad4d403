import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorTime } from '../../test/support/processor-time.js'
import { dependenciesIn, isManifest } from './dependencies.js'

const manifests: [path: string, text: string, expected: string[]][] = [
  [
    'package.json',
    '{\n  "name": "a",\n  "dependencies": {\n    "pg": "^8",\n    "@x/y": "1"\n  },\n  "devDependencies": {\n    "z": "2"\n  },\n  "scripts": {\n    "q": "r"\n  }\n}',
    ['pg 4', '@x/y 5', 'z 8'],
  ],
  [
    'package.json',
    '{"name":"a","dependencies":{"pg":"8","@x/y":"1"},"scripts":{"q":"r"}}',
    ['pg 1', '@x/y 1'],
  ],
  [
    'package.json',
    '{\n"dependencies"\n:\n{ "pg":\n"8" },\n"x": { "dependencies": { "no": "1" } }, "keywords": ["dependencies", {"a": "b"}]',
    ['pg 4'],
  ],
  [
    'composer.json',
    '{"require": {"php": ">=8", "a/b": "\\"^1"},\n"require-dev": {"c/d": "1"}}',
    ['php 1', 'a/b 1', 'c/d 2'],
  ],
  ['package.json', '{"dependencies": {"a": "1", "b', ['a 1']],
  [
    'a/Cargo.toml',
    '[package]\nname = "a"\n\n[dependencies]\nserde = "1"\ntokio = { version = "1" }\n[dependencies.rand]\nversion = "1"\n',
    ['serde 5', 'tokio 6', 'rand 7'],
  ],
  [
    'pyproject.toml',
    '[project]\nname = "x"\ndependencies = [\n  "requests>=2",\n  "PyYAML",\n]\n',
    ['requests 4', 'PyYAML 5'],
  ],
  [
    'pyproject.toml',
    `[build-system]
requires = ["hatchling"] # "no"
[project]
keywords = [
  "web framework",
]
dependencies = ["httpx[http2]>=0.27; python_version < '3.9'", 'attrs']
[project.optional-dependencies]
http = ["requests>=2", "rich"]
all = [
  "x[http,all]",
  # "no",
]
[dependency-groups]
test = ["pytest>=8", {include-group = "no"}]
[tool.pdm.dev-dependencies]
lint = ["ruff"]
[tool.uv]
dev-dependencies = ["mypy"]
[tool.poetry.dependencies]
python = "^3"
django = [
  { version = "1", python = "<3" },
]
`,
    [
      ...['hatchling 2', 'httpx 7', 'attrs 7', 'requests 9', 'rich 9', 'x 11', 'pytest 15', 'ruff 17'],
      ...['mypy 19', 'django 22'],
    ],
  ],
  [
    'Cargo.toml',
    `[dependencies]
x = { package = "lodash", version = "1", features = [
  "no",
] }
serde.workspace = true
"a.b" = "1"
[dependencies.y]
package = "rand"
[features]
default = ["no"]
`,
    ['x 2', 'lodash 2', 'serde 5', 'a.b 6', 'y 7', 'rand 8'],
  ],
  [
    'package.json',
    '{"dependencies": {"x": "npm:lodash@4",\n"y": "npm:@a/b@^1", "z": "npm:^1"},\n"bundleDependencies": ["x", "w"], "files": ["no"], "bundledDependencies": true, "peerDependenciesMeta": {"q": {"optional": true}}}',
    ['x 1', 'lodash 1', 'y 2', '@a/b 2', 'z 2', 'x 3', 'w 3'],
  ],
  [
    'go.mod',
    'module a\n\nrequire (\n\tgithub.com/x/y v1.2.3\n)\nrequire golang.org/x/z v0.1.0\n',
    ['github.com/x/y 4', 'golang.org/x/z 6'],
  ],
  ['requirements.txt', '# a\nflask==2\n-r other.txt\n', ['flask 2']],
  ['Gemfile', "gem 'rails', '~> 7'\n", ['rails 1']],
  ['pom.xml', '<dependency>\n<artifactId>junit</artifactId>\n</dependency>', ['junit 2']],
  ['build.gradle.kts', 'implementation("org.x:y:1.0")', ['org.x:y 1']],
]
for (const [path, text, expected] of manifests)
  test(`${path} tells what the project depends on`, () => {
    assert.deepEqual(
      dependenciesIn(path, text).map(({ name, line }) => `${name} ${line}`),
      expected,
    )
  })

test('a string that is not closed is read in no time', () => {
  const took = processorTime(() => dependenciesIn('package.json', `{"a":"${'\\"'.repeat(300_000)}`))
  assert.ok(took < 2_000, `${took} ms`)
  assert.deepEqual(
    dependenciesIn('package.json', '{"dependencies": {"a": "1", "b": "').map(({ name }) => name),
    ['a', 'b'],
  )
})

test('other files are no manifests', () => {
  assert.equal(isManifest('src/package.ts'), false)
  assert.deepEqual(dependenciesIn('x.md', '"a": "b"'), [])
})
