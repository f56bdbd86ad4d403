import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { complaint, load, made, project, server } from '../../../test/support/configuration.js'
import type { Settings } from '../../model/settings.js'
import { listFolder } from '../../sources/folder.js'

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

test('folders and names in other scripts get different collection names', async () => {
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

test('a folder named like a collection of the memory gets another name, unless the configuration names it', async () => {
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

  test('exclude files of other sources, and have a new name', async () => {
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

  test('are left out if the configuration excludes them, and if there is no source', async () => {
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

describe('precedence', () => {
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

  test('every kind of value can be set in the environment', async () => {
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

  test('an empty list of sources counts if it is written as [], and a note reports it', async () => {
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

  test('a layer that names another provider starts afresh', async () => {
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

describe('secrets stay in the environment', () => {
  test('the key is read from the variable that keyFrom names, whatever its name', async () => {
    const world = project({ embedding: { ...server, keyFrom: 'CARREL_MY_KEY' } })
    const env = { CARREL_MY_KEY: ' k3y ', CARREL_ALLOW_NETWORK: '1' }
    const { settings, notes } = await load({ ...world, env })
    assert.equal(settings.embedding.provider === 'openai-compatible' && settings.embedding.key, 'k3y')
    assert.deepEqual(notes, [])
  })

  test('a missing one is a note', async () => {
    const world = project({ embedding: { ...server, keyFrom: 'MY_KEY' } })
    const { notes } = await load({ ...world, flags: { allowNetwork: true } })
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
      const message = await complaint(project({ embedding }))
      assert.match(message, /variable/)
      assert.doesNotMatch(message, /hush/)
    })
})
