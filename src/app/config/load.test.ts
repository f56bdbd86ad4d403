import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Problem } from '../../model/problem.js'
import type { Settings } from '../../model/settings.js'
import { listFolder } from '../../sources/folder.js'
import { loadSettings, type SettingsFlags } from './load.js'

const made: string[] = []
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

interface World {
  /** Files by path below the world; `project/` is the root and `home/` the user's. */
  files?: Record<string, unknown>
  flags?: SettingsFlags
  env?: Record<string, string>
  cwd?: string
  link?: [string, string]
}

async function load({ files = {}, flags = {}, env = {}, cwd = 'project', link }: World) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-config-')))
  made.push(base)
  for (const folder of ['project', 'project/docs', 'project/notes', 'home', 'elsewhere/docs'])
    mkdirSync(join(base, folder), { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  if (link) symlinkSync(join(base, link[1]), join(base, link[0]))
  const root = flags.root === undefined && !env.CARREL_ROOT && cwd === 'project' ? { root: '.' } : {}
  const given = { flags: { ...root, ...flags }, env, cwd: join(base, cwd), home: join(base, 'home') }
  const loaded = await loadSettings(given)
  return { ...loaded, base }
}

/** What a person would read, with the temporary folder taken out. */
async function complaint(world: World): Promise<string> {
  try {
    await load(world)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const text = error.hint ? `${error.message}\n${error.hint}` : error.message
    return text.replaceAll(made.at(-1)!, '')
  }
  throw new Error('nothing was refused')
}

const project = (content: unknown): World => ({ files: { 'project/carrel.json': content } })
const server = {
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: 'm',
  dimensions: 384,
}
const far = { ...server, baseUrl: 'https://api.example.com/v1' }

describe('without any configuration', () => {
  test('the root folder is one source under its own name', async () => {
    const { settings, base, notes } = await load({})
    assert.equal(settings.root, join(base, 'project'))
    assert.equal(settings.data, join(base, 'project', '.carrel'))
    assert.deepEqual(settings.sources, [
      { name: 'project', path: join(base, 'project'), include: [], exclude: [] },
    ])
    assert.equal(settings.limits.fileBytes, 2_000_000)
    assert.equal(settings.limits.fileMs, 20_000)
    assert.ok(settings.limits.workers >= 1)
    assert.equal(settings.embedding.provider, 'bundled')
    assert.deepEqual(settings.rerank, { provider: 'second-stage' })
    assert.deepEqual(settings.tools, {
      toolsets: null,
      only: null,
      exclude: [],
      readOnly: false,
      rateLimits: {},
    })
    assert.deepEqual(
      [settings.watch, settings.allow, settings.files, notes],
      [true, { outside: false, network: false, privateNetwork: false }, [], []],
    )
  })

  for (const mark of ['carrel.json', 'context.json', '.git/HEAD'])
    test(`the root is the nearest folder above with ${mark.split('/')[0]}`, async () => {
      const { settings, base } = await load({ files: { [`project/${mark}`]: '{}' }, cwd: 'project/docs' })
      assert.equal(settings.root, join(base, 'project'))
    })

  test('a folder name that cannot be typed becomes a simple alias', async () => {
    for (const [folder, name] of [
      ['My Notes (old)', 'My-Notes-old'],
      ['Zürich', 'Zürich'],
      ['Zu\u0308rich', 'Zürich'],
      ['資料', '資料'],
      ['हिन्दी नोट्स', 'हिन्दी-नोट्स'],
      ['a: b／c', 'a-b-c'],
      ['📚', 'library'],
      ['.dotfiles', 'dotfiles'],
    ] as const) {
      const { settings } = await load({
        files: { [`${folder}/a.md`]: '' },
        cwd: 'home',
        flags: { root: `../${folder}` },
      })
      assert.equal(settings.sources[0]?.name, name)
    }
  })
})

test('folders of other scripts, and names given in them, are told apart', async () => {
  const files = {
    'project/日本語/a.md': '',
    'project/資料/a.md': '',
    'project/Ä/a.md': '',
    'project/A/a.md': '',
  }
  const sources = ['日本語', { path: '資料', name: 'Handbu\u0308cher' }, 'Ä', 'A']
  const { settings } = await load({ files: { ...files, 'project/carrel.json': { sources } } })
  assert.deepEqual(
    settings.sources.map(({ name }) => name),
    ['日本語', 'Handbücher', 'Ä', 'A'],
  )
})

test('a folder with a name of the memory is told apart from it, unless it has a name of its own', async () => {
  const files = { 'project/discoveries/a.md': '', 'project/sessions/a.md': '' }
  const sources = ['discoveries', { path: 'sessions', name: 'meetings' }]
  const { settings } = await load({ files: { ...files, 'project/carrel.json': { sources } } })
  assert.deepEqual(
    settings.sources.map(({ name }) => name),
    ['discoveries-folder', 'meetings'],
  )
  const root = await load({ files, cwd: 'project/sessions', flags: { root: '.' } })
  assert.equal(root.settings.sources[0]?.name, 'sessions-folder')
})

describe('folders of decisions and patterns that no source has', () => {
  const files = {
    'project/adr/0001-a.md': '',
    'elsewhere/adr/0009-x.md': '',
    'project/adr/notes.txt': '',
    'project/docs/adr/0002-b.md': '',
    'project/handbook/patterns/c.md': '',
    'project/services/cart/decisions/d.md': '',
    'project/services/cart/readme.md': '',
    'project/src/a.ts': '',
  }
  const architecture = { patterns: ['handbook/patterns'], adr: ['services/*/decisions', 'way-out'] }
  async function read(config: object) {
    const link = ['project/way-out', 'elsewhere'] as [string, string]
    const { settings, base } = await load({ files: { ...files, 'project/carrel.json': config }, link })
    const named = settings.sources.map(async (source) => {
      const { items } = await listFolder(source)
      return [source.name, items.map(({ path }) => join(source.path, path).slice(base.length + 9)).sort()]
    })
    return Object.fromEntries(await Promise.all(named))
  }

  test('are sources behind the others, for these documents alone', async () => {
    assert.deepEqual(await read({ sources: ['src'], architecture }), {
      src: ['src/a.ts'],
      'architecture-adr': ['adr/0001-a.md'],
      'architecture-docs-adr': ['docs/adr/0002-b.md'],
      'architecture-handbook-patterns': ['handbook/patterns/c.md'],
      'architecture-services': ['services/cart/decisions/d.md'],
    })
  })

  test('have nothing that a source has, and a name that none has', async () => {
    const sources = [
      { path: 'docs', name: 'Architecture-ADR' },
      { path: 'services/cart', name: 'cart' },
      { path: 'handbook', name: 'handbook' },
    ]
    assert.deepEqual(await read({ sources, architecture }), {
      'Architecture-ADR': ['docs/adr/0002-b.md'],
      cart: ['services/cart/decisions/d.md', 'services/cart/readme.md'],
      handbook: ['handbook/patterns/c.md'],
      'architecture-adr-2': ['adr/0001-a.md'],
      'architecture-services': [],
    })
  })

  test('are left out by what is excluded everywhere, and without any source', async () => {
    const exclude = ['adr', 'docs/**', '[']
    const { settings } = await load({
      files: { ...files, 'project/carrel.json': { sources: ['src'], exclude } },
    })
    assert.deepEqual(
      settings.sources.map(({ name }) => name),
      ['src'],
    )
    assert.deepEqual(await read({ sources: [], architecture }), {})
    assert.deepEqual(Object.keys(await read({ architecture })), ['project'])
  })
})

describe('who wins', () => {
  const workers = (settings: Settings) => settings.limits.workers
  const files = {
    'home/.config/carrel/config.json': { limits: { workers: 1, fileSeconds: 5 } },
    'project/carrel.json': { limits: { workers: 2 } },
  }
  const env = { CARREL_LIMITS_WORKERS: '3' }

  test('flags over environment over the project over the user', async () => {
    const own = { 'home/.config/carrel/config.json': files['home/.config/carrel/config.json'] }
    assert.equal(workers((await load({ files: own })).settings), 1)
    assert.equal(workers((await load({ files })).settings), 2)
    assert.equal(workers((await load({ files, env })).settings), 3)
    const { settings } = await load({ files, env, flags: { set: ['limits.workers=4'] } })
    assert.equal(workers(settings), 4)
    assert.equal(settings.limits.fileMs, 5000, 'a key that only the user names stays')
    assert.equal(settings.files.length, 2)
  })

  test('--root, --data and --config win over their variables', async () => {
    const { settings, base } = await load({
      files: { 'project/other.json': { watch: false }, 'project/third.json': {} },
      env: { CARREL_ROOT: '/nowhere', CARREL_DATA: '/nowhere', CARREL_CONFIG: 'third.json' },
      flags: { root: '.', data: '../data', config: 'other.json' },
    })
    assert.deepEqual(
      [settings.root, settings.data, settings.watch],
      [join(base, 'project'), join(base, 'data'), false],
    )
  })

  test('the user’s file is found through XDG_CONFIG_HOME', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carrel-xdg-'))
    made.push(folder)
    mkdirSync(join(folder, 'carrel'))
    writeFileSync(join(folder, 'carrel/config.json'), '{"watch":false}')
    assert.equal((await load({ env: { XDG_CONFIG_HOME: folder } })).settings.watch, false)
  })

  test('every kind of value can be said in the environment', async () => {
    const { settings } = await load({
      env: {
        CARREL_SOURCES: 'docs, notes',
        CARREL_EXCLUDE: '*.{log,tmp},drafts/**',
        CARREL_LIMITS_FILE_SIZE: '512 KiB',
        CARREL_WATCH: 'off',
        CARREL_EMBEDDING_PROVIDER: 'none',
        CARREL_TOOLSETS: 'graph,context',
        CARREL_READ_ONLY: '1',
        CARREL_RATE_LIMITS_PER_MINUTE: 'read_file=7, grep_codebase=9',
        CARREL_TOOLS: '',
      },
    })
    assert.deepEqual(
      settings.sources.map(({ name, exclude }) => [name, exclude]),
      [
        ['docs', ['*.{log,tmp}', 'drafts/**']],
        ['notes', ['*.{log,tmp}', 'drafts/**']],
      ],
    )
    assert.equal(settings.limits.fileBytes, 512 * 1024)
    assert.deepEqual([settings.watch, settings.embedding], [false, { provider: 'none' }])
    assert.deepEqual(settings.tools, {
      toolsets: ['graph', 'context'],
      only: null,
      exclude: [],
      readOnly: true,
      rateLimits: { read_file: 7, grep_codebase: 9 },
    })
  })

  test('JSON does for a list in the environment', async () => {
    const { settings } = await load({ env: { CARREL_SOURCES: '[{"path":"docs","name":"handbook"}]' } })
    assert.equal(settings.sources[0]?.name, 'handbook')
  })

  test('an empty list of sources counts where it is written as one, and is told of', async () => {
    const { settings, notes } = await load({
      ...project({ sources: ['docs'] }),
      flags: { set: ['sources=[]'] },
    })
    assert.deepEqual(settings.sources, [])
    assert.match(notes[0]!.message, /^"sources" \(--set sources\) is an empty list: no folder is indexed/)
  })

  test('rate limits have an off switch', async () => {
    const { settings } = await load(project({ rateLimits: { enabled: false, perMinute: { read_file: 3 } } }))
    assert.equal(settings.tools.rateLimits, null)
  })

  test('whoever names another provider starts afresh', async () => {
    const world = { files: { 'project/carrel.json': { embedding: server } } }
    const { settings } = await load({
      ...world,
      env: { CARREL_EMBEDDING_PROVIDER: 'bundled', CARREL_EMBEDDING_THREADS: '2' },
    })
    assert.deepEqual(settings.embedding, { provider: 'bundled', threads: 2 })
    const same = await load({ ...world, env: { CARREL_EMBEDDING_MODEL: 'other' } })
    assert.equal(
      same.settings.embedding.provider === 'openai-compatible' && same.settings.embedding.model,
      'other',
    )
  })

  test('the user’s sources and exclusions are added to the project’s, whose names win', async () => {
    const { settings, base } = await load({
      files: {
        'home/journal/a.md': '',
        'home/docs/a.md': '',
        'home/.config/carrel/config.json': {
          sources: ['~/journal', { path: '~/docs' }],
          exclude: ['*.key'],
          excludeTools: ['crawl_website'],
        },
        'project/carrel.json': { sources: ['docs'], exclude: ['*.log'], excludeTools: ['read_file'] },
      },
    })
    assert.deepEqual(
      settings.sources.map(({ name, path }) => [name, path]),
      [
        ['docs', join(base, 'project/docs')],
        ['journal', join(base, 'home/journal')],
      ],
    )
    assert.deepEqual(settings.sources[1]?.exclude, ['*.key', '*.log'])
    assert.deepEqual(settings.tools.exclude, ['crawl_website', 'read_file'])
  })
})

describe('what cannot be right is said as a person would', () => {
  const cases: [string, World, string][] = [
    [
      'an unknown key',
      project({ watch: true, embeding: {} }),
      'Unknown key "embeding" (carrel.json, line 3).\nDid you mean "embedding"?',
    ],
    [
      'an unknown key inside',
      project({ limits: { worker: 3 } }),
      'Unknown key "worker" in "limits" (carrel.json, line 3).\nDid you mean "workers"?',
    ],
    [
      'a key in the wrong place',
      project({ fileSize: 1 }),
      'Unknown key "fileSize" (carrel.json, line 2).\nDid you mean "limits.fileSize"?',
    ],
    [
      'a key like no other',
      project({ rateLimits: { zzzzzzzz: 1 } }),
      'Unknown key "zzzzzzzz" in "rateLimits" (carrel.json, line 3).\nKnown here: enabled, perMinute.',
    ],
    [
      'a prototype for a key',
      project('{ "__proto__": { "watch": false } }'),
      'Unknown key "__proto__" (carrel.json, line 1).\nKnown here: $schema, sources, exclude, uploadFolders, limits, watch, embedding, rerank, architecture, toolsets, tools, excludeTools, readOnly, rateLimits.',
    ],
    [
      'a misspelt value',
      project({ embedding: { provider: 'bundeld' } }),
      '"embedding.provider" (carrel.json, line 3) must be one of "none", "bundled", "onnx", "openai-compatible", not "bundeld".\nDid you mean "bundled"?',
    ],
    [
      'a wrong type',
      project({ watch: 'yes' }),
      '"watch" (carrel.json, line 2) must be true or false, not "yes".',
    ],
    [
      'a number out of reach',
      project({ limits: { workers: 0 } }),
      '"limits.workers" (carrel.json, line 3) must be a whole number from 1 to 64, not 0.',
    ],
    [
      'a size that is none',
      project({ limits: { fileSize: '2 apples' } }),
      '"limits.fileSize" (carrel.json, line 3) must be a size up to 1 GB such as "2 MB", not "2 apples".',
    ],
    [
      'a source without its path',
      project({ sources: [{ pth: 'docs' }] }),
      'Unknown key "pth" in "sources[0]" (carrel.json, line 4).\nDid you mean "path"?',
    ],
    [
      'a source of the wrong kind',
      project({ sources: ['docs', 3] }),
      '"sources[1]" (carrel.json, line 4) must be a folder, or an object such as { "path": "docs" }, not 3.',
    ],
    [
      'a name that is not simple',
      project({ sources: [{ path: 'docs', name: 'my docs' }] }),
      '"sources[0].name" (carrel.json, line 5) must be a name of letters, digits, ".", "_" and "-", not "my docs".',
    ],
    [
      'a pattern that climbs out',
      project({ exclude: ['../**'] }),
      '"exclude[0]" (carrel.json, line 3) must be a pattern such as "drafts/**", not "../**".',
    ],
    [
      'a list for an object',
      project('[]'),
      'The configuration (carrel.json, line 1) must be an object { … }, not a list.',
    ],
    [
      'a tool name that is none',
      project({ rateLimits: { perMinute: { 'no way': 1 } } }),
      'A key of "rateLimits.perMinute" (carrel.json, line 4) must be the name of a tool such as "read_file", not "no way".',
    ],
    [
      'several at once',
      project({ watch: 1, limts: {} }),
      'The configuration has 2 problems:\n- "watch" (carrel.json, line 2) must be true or false, not 1.\n- Unknown key "limts" (carrel.json, line 3). Did you mean "limits"?',
    ],
    [
      'no folder where folders belong',
      { flags: { set: ['sources='] } },
      '"sources" (--set sources) must be a list of folders such as ["docs", { "path": "notes", "name": "team" }], not "".',
    ],
    [
      'a comma for a list',
      { env: { CARREL_SOURCES: ' , ' } },
      '"sources" (CARREL_SOURCES) must be a list of folders such as ["docs", { "path": "notes", "name": "team" }], not " , ".',
    ],
    [
      'a folder for a configuration',
      { flags: { config: '.' } },
      '/project is not a file but something else.',
    ],
    [
      'a folder that is not there',
      project({ sources: ['dosc'] }),
      'The source "dosc" (carrel.json, line 3) has no folder at /project/dosc.\nDid you mean "docs"?',
    ],
    [
      'a file for a source',
      { files: { 'project/carrel.json': { sources: ['a.md'] }, 'project/a.md': '' } },
      'The source "a.md" (carrel.json, line 3) is a file, not a folder.\nName its folder, and the file under "include".',
    ],
    [
      'two sources of one name',
      { files: { 'project/carrel.json': { sources: ['docs', 'old/docs'] }, 'project/old/docs/a.md': '' } },
      'Two sources are named "docs" (carrel.json, line 4): /project/docs and /project/old/docs.\nGive one of them a "name" of its own.',
    ],
    [
      "a name of the project's memory",
      project({ sources: [{ path: 'docs', name: 'Sessions' }] }),
      'No source can be named "Sessions" (carrel.json, line 3): what the project remembers goes by that name.\nGive it another "name", such as "Sessions-folder".',
    ],
    [
      'one folder twice',
      project({ sources: ['docs', { path: './docs', name: 'again' }] }),
      'The folder /project/docs is a source twice (carrel.json, line 4).',
    ],
    [
      'keys of another provider',
      project({ embedding: { provider: 'bundled', model: 'x' } }),
      '"embedding.model" (carrel.json, line 4) means nothing to the provider "bundled".\nIt goes with "provider": "openai-compatible".',
    ],
    [
      'a provider with half its keys',
      project({ embedding: { provider: 'openai-compatible', model: 'x' } }),
      'The embedding provider "openai-compatible" also needs "embedding.baseUrl" and "embedding.dimensions".',
    ],
    [
      'a model folder that is not there',
      project({ rerank: { provider: 'onnx', folder: 'models/x' } }),
      '"rerank.folder" (carrel.json, line 4) names models/x, which is not there.',
    ],
    [
      'an unknown variable',
      { env: { CARREL_LIMITS_WORKER: '3' } },
      'Unknown environment variable CARREL_LIMITS_WORKER.\nDid you mean "CARREL_LIMITS_WORKERS"?',
    ],
    [
      'a value of a variable',
      { env: { CARREL_LIMITS_WORKERS: 'many' } },
      '"limits.workers" (CARREL_LIMITS_WORKERS) must be a whole number from 1 to 64, not "many".',
    ],
    [
      'a value inside a variable’s list',
      { env: { CARREL_TOOLSETS: 'graph,documnets' } },
      '"toolsets[1]" (CARREL_TOOLSETS) must be one of "documents", "graph", "context", "architecture", "knowledge", not "documnets".\nDid you mean "documents"?',
    ],
    [
      'a switch that is neither on nor off',
      { env: { CARREL_ALLOW_NETWORK: 'maybe' } },
      'CARREL_ALLOW_NETWORK must be true or false, not "maybe".',
    ],
    [
      'a flag without a value',
      { flags: { set: ['watch'] } },
      '"--set watch" has no "=".\nWrite --set KEY=VALUE, as in --set watch=off.',
    ],
    [
      'a flag for no key',
      { flags: { set: ['workers=2'] } },
      '--set knows no key "workers".\nDid you mean "limits.workers"?',
    ],
    [
      'a flag of a wrong value',
      { flags: { set: ['watch=perhaps'] } },
      '"watch" (--set watch) must be true or false, not "perhaps".',
    ],
    [
      'a root that is not there',
      { flags: { root: 'nowhere' } },
      'There is no folder /project/nowhere to be the root.\n--root DIR (or CARREL_ROOT) names the folder that Carrel works on.',
    ],
    [
      'a configuration file that is not there',
      { flags: { config: 'mine.json' } },
      'There is no configuration file /project/mine.json.\n--config FILE (or CARREL_CONFIG) is read in place of project/carrel.json.',
    ],
  ]
  for (const [title, world, expected] of cases)
    test(title, async () => assert.equal(await complaint(world), expected))

  test('a folder in place of the file', async () => {
    assert.match(await complaint({ files: { 'project/carrel.json/a': '' } }), /carrel\.json is not a file/)
  })

  test('a device in its place is refused without being read', {
    skip: process.platform === 'win32' && 'needs devices that are files',
  }, async () => {
    const zero: World = { link: ['project/carrel.json', `${'../'.repeat(30)}dev/zero`] }
    assert.equal(await complaint(zero), 'carrel.json is not a file but something else.')
  })
})

describe('a project’s file cannot widen access', () => {
  const outside = project({ sources: ['../elsewhere/docs'] })
  const remote = project({ embedding: far })
  const refusedOutside =
    'The source "../elsewhere/docs" (carrel.json, line 3) lies outside the root, and a project\'s file cannot reach there by itself.\nAllow it with --allow-outside (or CARREL_ALLOW_OUTSIDE=1), or name the folder in your own configuration file.'
  const refusedRemote =
    '"embedding.baseUrl" (carrel.json, line 4) sends texts to api.example.com, and a project\'s file cannot reach beyond this machine by itself.\nAllow it with --allow-network (or CARREL_ALLOW_NETWORK=1), or name the server in your own configuration file.'

  test('a source outside the root needs the user’s word', async () => {
    assert.equal(await complaint(outside), refusedOutside)
    for (const word of [{ flags: { allowOutside: true } }, { env: { CARREL_ALLOW_OUTSIDE: '1' } }])
      assert.equal((await load({ ...outside, ...word })).settings.allow.outside, true)
    await load({ files: { 'home/.config/carrel/config.json': { sources: ['../elsewhere/docs'] } } })
    await load({ env: { CARREL_SOURCES: '../elsewhere/docs' } })
  })

  test('a file named with --config is held to the same rule', async () => {
    const world = {
      files: { 'home/mine.json': { sources: ['../elsewhere/docs'] } },
      flags: { config: '../home/mine.json' },
    }
    assert.match(await complaint(world), /lies outside the root/)
  })

  test('a link inside the root that leaves it does not count as inside', async () => {
    const world: World = { ...project({ sources: ['way-out'] }), link: ['project/way-out', 'elsewhere/docs'] }
    assert.match(await complaint(world), /"way-out" .* lies outside the root/)
  })

  test('a data folder is never the root or a source, nor a folder there with files of somebody else', async () => {
    const files = { 'project/carrel.json': { sources: ['docs'] }, 'project/docs/in/a.md': '# A' }
    const refused = async (data: string, more: World = {}) => complaint({ files, flags: { data }, ...more })
    assert.match(await refused('.'), /^The data folder \/project is the root itself\./)
    assert.match(await refused('docs/'), /\/project\/docs is a source itself\..*\n.*--data DIR/s)
    assert.match(await refused('docs/in'), /\/project\/docs\/in has other files in it/)
    assert.match(
      await refused('way-in', { files, link: ['project/way-in', 'project/docs/in'] }),
      /other files/,
    )
    assert.match(await complaint({ files, env: { CARREL_DATA: '.' } }), /is the root itself/)
  })

  test('a data folder in the project may be new, empty or in use already', async () => {
    const accepted = async (files: World['files'], data: string) =>
      (await load({ files: { 'project/a.md': '# A', ...files }, flags: { data } })).settings
    await accepted({}, 'state')
    await accepted({ 'project/state/index.sqlite': '', 'project/state/uploads/a.md': '# A' }, 'state')
    await accepted({ 'project/state/records.jsonl': '' }, 'state')
    await accepted({ 'elsewhere/lost+found/x': '' }, '../elsewhere')
    await accepted({ 'project/.carrel/notes.txt': '' }, '.carrel')
    const { sources } = await accepted({}, 'deep/st[a]te')
    assert.deepEqual(sources[0]!.exclude, ['/deep/st[[]a]te'], 'and is no part of a source')
    assert.deepEqual((await accepted({}, '../elsewhere')).sources[0]!.exclude, [])
    const odd = 'st[a]te {x} *? '
    const [source] = (await accepted({ [`project/${odd}/records.jsonl`]: '{}' }, odd)).sources
    const { items } = await listFolder(source!)
    assert.deepEqual(
      items.map(({ path }) => path),
      ['a.md'],
    )
  })

  test('a data folder that is a link out of the root is not written through', async () => {
    const world: World = { link: ['project/.carrel', 'elsewhere/docs'] }
    assert.match(await complaint(world), /\.carrel is a link that leaves the root/)
    assert.match(await complaint({ link: ['project/.carrel', 'elsewhere/gone'] }), /leaves the root/)
    await load({ ...world, flags: { allowOutside: true } })
  })

  test('a model folder outside the root needs the user’s word', async () => {
    const world = project({ embedding: { provider: 'onnx', folder: '../elsewhere' } })
    assert.match(await complaint(world), /"embedding.folder" .* lies outside the root/)
    await load({ ...world, flags: { allowOutside: true } })
  })

  test('a server beyond this machine needs the user’s word', async () => {
    assert.equal(await complaint(remote), refusedRemote)
    const rerank = { provider: 'endpoint', shape: 'tei', model: 'm', baseUrl: 'http://10.0.0.1' }
    assert.match(await complaint(project({ rerank })), /"rerank.baseUrl" .* 10\.0\.0\.1/)
    for (const word of [{ flags: { allowNetwork: true } }, { env: { CARREL_ALLOW_NETWORK: 'yes' } }])
      assert.equal((await load({ ...remote, ...word })).settings.embedding.provider, 'openai-compatible')
    await load({ files: { 'home/.config/carrel/config.json': { embedding: far } } })
  })

  test('fetching from private networks is the user’s word alone', async () => {
    for (const word of [
      { flags: { allowPrivateNetwork: true } },
      { env: { CARREL_ALLOW_PRIVATE_NETWORK: 'on' } },
    ])
      assert.equal((await load(word)).settings.allow.privateNetwork, true)
    const key: object = { allowPrivateNetwork: true }
    assert.match(await complaint(project(key)), /Unknown key "allowPrivateNetwork"/)
    assert.match(await complaint({ env: { CARREL_ALLOW_PRIVATE_NETWORK: 'maybe' } }), /must be true or false/)
  })

  test('the browser is named by the environment alone', async () => {
    assert.equal((await load({ env: { CARREL_CHROMIUM: '/opt/browser' } })).settings.chromium, '/opt/browser')
    assert.equal((await load({})).settings.chromium, null)
    const key: object = { chromium: '/opt/browser' }
    assert.match(await complaint(project(key)), /Unknown key "chromium"/)
  })

  test('only addresses that cannot be anywhere else count as this machine', async () => {
    const reach = (baseUrl: string) => load(project({ embedding: { ...server, baseUrl } }))
    for (const near of ['http://localhost:1', 'http://127.9.8.7/v1', 'http://[::1]:80/', 'http://0x7f.1/'])
      await reach(near)
    for (const host of [
      'localhost.example.com',
      '127.0.0.1.example.com',
      'my.localhost',
      '0.0.0.0',
      '[::ffff:127.0.0.1]',
    ])
      await assert.rejects(reach(`http://${host}/`), /beyond this machine/, host)
  })

  test('the user’s key does not follow to a server that the project names', async () => {
    const own = { embedding: { ...far, keyFrom: 'MY_KEY' } }
    const { settings } = await load({
      files: { 'home/.config/carrel/config.json': own, 'project/carrel.json': { embedding: server } },
      env: { MY_KEY: 'secret' },
    })
    assert.equal(settings.embedding.provider === 'openai-compatible' && settings.embedding.key, null)
  })

  test('the project does not pick a secret for the user’s server', async () => {
    const files = {
      'home/.config/carrel/config.json': { embedding: far },
      'project/carrel.json': { embedding: { keyFrom: 'AWS_SECRET_ACCESS_KEY' } },
    }
    assert.match(await complaint({ files }), /picks a variable to send beyond this machine/)
  })

  test('what the user left out, the project does not bring back', async () => {
    const both = (own: unknown, theirs: unknown) =>
      complaint({ files: { 'home/.config/carrel/config.json': own, 'project/carrel.json': theirs } })
    assert.equal(
      await both({ toolsets: ['documents'] }, { toolsets: ['documents', 'knowledge'] }),
      '"toolsets" (carrel.json, line 2) asks for "knowledge", which your own configuration file leaves out.\nAdd it there, or say --set toolsets=knowledge for this run.',
    )
    assert.match(await both({ readOnly: true }, { readOnly: false }), /says that nothing is written/)
  })
})

describe('secrets stay in the environment', () => {
  test('the key is read from the variable that keyFrom names, whatever its name', async () => {
    const world = project({ embedding: { ...server, keyFrom: 'CARREL_MY_KEY' } })
    const { settings, notes } = await load({ ...world, env: { CARREL_MY_KEY: ' k3y ' } })
    assert.equal(settings.embedding.provider === 'openai-compatible' && settings.embedding.key, 'k3y')
    assert.deepEqual(notes, [])
  })

  test('a missing one is a note', async () => {
    const { notes } = await load(project({ embedding: { ...server, keyFrom: 'MY_KEY' } }))
    assert.deepEqual(
      notes.map(({ message }) => message),
      [
        '"embedding.keyFrom" (carrel.json, line 7) names MY_KEY, which is not set: requests go without a key.',
      ],
    )
  })

  for (const [title, embedding] of [
    ['under a key of its own', { ...server, apiKey: 'sk-hush' }],
    ['in place of the variable’s name', { ...server, keyFrom: 'sk-hush' }],
    ['in the address', { ...server, baseUrl: 'http://me:sk-hush@127.0.0.1/' }],
    ['in the question of the address', { ...server, baseUrl: 'http://127.0.0.1/?key=sk-hush' }],
  ] as const)
    test(`a key ${title} is refused and not repeated`, async () => {
      const said = await complaint(project({ embedding }))
      assert.match(said, /variable/)
      assert.doesNotMatch(said, /hush/)
    })
})
