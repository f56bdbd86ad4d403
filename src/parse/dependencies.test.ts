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
  [
    'go.mod',
    `module a
require (
\tgithub.com/x/direct v1.2.3
\tgithub.com/x/indirect v1.0.0 // indirect
)
exclude github.com/x/no v1.0.0
replace (
\tgithub.com/x/gone v1.0.0 => ../gone
)
require github.com/x/last v2.0.0+incompatible
`,
    ['github.com/x/direct 3', 'github.com/x/last 10'],
  ],
  [
    'requirements/dev.txt',
    'flask[async]>=2 # web\nhttps://example.org/no.whl\ngit+https://example.org/a.git#egg=a-b\nc @ file:///c\n-e .\nd==1 \\\n  --hash=sha256:0\n',
    ['flask 1', 'a-b 3', 'c 4', 'd 6'],
  ],
  ['dev-requirements.in', 'x\ny~=1\n', ['x 1', 'y 2']],
  [
    'Pipfile',
    '[packages]\nflask = "*"\n[dev-packages]\npytest = {version = "*"}\n[requires]\npython_version = "3"\n',
    ['flask 2', 'pytest 4'],
  ],
  ['requirements.txt', '# a\nflask==2\n-r other.txt\n', ['flask 2']],
  ['Gemfile', "gem 'rails', '~> 7'\n", ['rails 1']],
  ['pom.xml', '<dependency>\n<artifactId>junit</artifactId>\n</dependency>', ['junit 2']],
  [
    'pom.xml',
    `<project>
  <parent><groupId>org.p</groupId><artifactId>parent</artifactId></parent>
  <groupId>org.own</groupId>
  <artifactId>own</artifactId>
  <!-- <dependency><artifactId>no</artifactId></dependency> -->
  <dependencies>
    <dependency>
      <groupId>org.a</groupId>
      <artifactId>a</artifactId>
      <exclusions>
        <exclusion>
          <groupId>org.b</groupId>
          <artifactId>b</artifactId>
        </exclusion>
      </exclusions>
    </dependency>
  </dependencies>
  <build><plugins><plugin><artifactId>c-plugin</artifactId></plugin></plugins></build>
</project>`,
    ['org.p:parent 2', 'org.a:a 9', 'c-plugin 18'],
  ],
  ['pom.xml', '<dependency>\n<groupId>a</groupId>\n<artifactId>b</artifactId>\n<!-- <', ['a:b 3']],
  ['build.gradle.kts', 'implementation("org.x:y:1.0")', ['org.x:y 1']],
  [
    'build.gradle',
    `dependencies {
  implementation 'org.a:a:1', "org.b:b"
  // implementation 'org.no:no:1'
  /* 'org.no:no:1'
     'org.no:no:1' */
  api group: 'org.c', name: 'c', version: '1'
  api(group = "org.d", name = "d")
  api('org.e:e') { exclude group: 'org.no', module: 'no' }
  maven { url 'https://example.org/x' }
}`,
    ['org.a:a 2', 'org.b:b 2', 'org.c:c 6', 'org.d:d 7', 'org.e:e 8'],
  ],
  [
    'gradle/libs.versions.toml',
    `[versions]
guava = "32"
[libraries]
guava = { module = "com.google:guava", version.ref = "guava" }
junit = "org.junit:junit:5"
rx = { group = "io.rx", name = "rxjava", version = "3" } # no:no
[plugins]
x = { id = "org.x" }
`,
    ['com.google:guava 4', 'org.junit:junit 5', 'io.rx:rxjava 6'],
  ],
  [
    'src/A/A.csproj',
    `<Project Sdk="Microsoft.NET.Sdk">
  <!-- <PackageReference Include="No" /> -->
  <ItemGroup>
    <PackageReference Include="Newtonsoft.Json" Version="13" />
    <PackageReference
      Version="1"
      Include='Serilog'>
    </PackageReference>
    <PackageReference Update="No" />
    <ProjectReference Include="..\\Core\\Acme.Core.csproj" />
    <Reference Include="System.Web, Version=4.0.0.0" />
    <Compile Include="No.cs" />
    <constructor Include="No" />
  </ItemGroup>
</Project>`,
    ['Newtonsoft.Json 4', 'Serilog 5', 'Acme.Core 10', 'System.Web 11'],
  ],
  ['Directory.Packages.props', '<PackageVersion Include="Dapper" Version="2" />', ['Dapper 1']],
  ['packages.config', '<packages>\n<package id="NUnit" version="3" />\n</packages>', ['NUnit 2']],
]
for (const [path, text, expected] of manifests)
  test(`${path} lists the dependencies of the project`, () => {
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

test('marks that are not closed are read in no time', () => {
  for (const [path, sign] of [
    ['pom.xml', '<!-- '],
    ['pom.xml', '<a '],
    ['a.csproj', '<PackageReference Include="'],
    ['build.gradle', '/* '],
    ['build.gradle', "'a:"],
    ['libs.versions.toml', '{ '],
  ] as const) {
    const took = processorTime(() => dependenciesIn(path, sign.repeat(200_000)))
    assert.ok(took < 2_000, `${path} ${sign}: ${took} ms`)
  }
})

test('other files are no manifests', () => {
  assert.equal(isManifest('src/package.ts'), false)
  assert.deepEqual(dependenciesIn('x.md', '"a": "b"'), [])
})
