import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { complaint, far, load, project, server, type World } from '../../../test/support/configuration.js'
import { listFolder } from '../../sources/folder.js'
import { keys } from './keys.js'

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

  for (const folder of ['.git', '.git/info', '.aws', '.GIT', 'deep/.ssh'])
    test(`a source in a folder that may hold secrets needs the user’s word: ${folder}`, async () => {
      const world = {
        files: { 'project/carrel.json': { sources: [folder] }, [`project/${folder}/config`]: 'x' },
      }
      assert.match(await complaint(world), /lies in "[^"]+", which may hold secrets/)
      await load({ ...world, flags: { allowOutside: true } })
      const uploads = { ...world.files, 'project/carrel.json': { uploadFolders: [folder] } }
      assert.match(await complaint({ files: uploads }), /The upload folder .* may hold secrets/)
    })

  test('documents of an installed package may be a source', async () => {
    const folder = 'node_modules/x/docs'
    await load({
      files: { 'project/carrel.json': { sources: [folder] }, [`project/${folder}/a.md`]: '# A' },
    })
  })

  // A new key belongs on one of these lists, once somebody has thought about what a stranger's project could do with it.
  test('every key is known to be harmless in a project’s file or is restricted there', () => {
    const restricted = ['sources', 'uploadFolders', 'worktrees', 'toolsets', 'tools', 'readOnly']
    const providers = ['folder', 'baseUrl', 'keyFrom'].flatMap((name) => [
      `embedding.${name}`,
      `rerank.${name}`,
    ])
    const harmless = [
      ...['exclude', 'watch', 'showWeak', 'excludeTools', 'rateLimits.enabled', 'rateLimits.perMinute'],
      ...[
        'limits.fileSize',
        'limits.documentSize',
        'limits.workers',
        'limits.fileSeconds',
        'limits.crawlPauseMs',
        'engine.idleMinutes',
      ],
      ...['architecture.guidelines', 'architecture.patterns', 'architecture.adr'],
      ...[
        'provider',
        'threads',
        'model',
        'dimensions',
        'queryPrefix',
        'passagePrefix',
        'requestsPerMinute',
      ].map((name) => `embedding.${name}`),
      ...['rerank.provider', 'rerank.shape', 'rerank.model'],
    ]
    const known = [...restricted, ...providers, ...harmless].sort()
    assert.deepEqual(keys.map(({ name }) => name).sort(), known)
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

  test('a data folder is never the root, a source, or a folder there with other files', async () => {
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

  for (const group of ['embedding', 'rerank'])
    for (const folder of ['docs', '../elsewhere', '../nowhere'])
      test(`a model to load needs the user’s word: ${group}, ${folder}`, async () => {
        const onnx = { [group]: { provider: 'onnx', folder } }
        assert.equal(
          await complaint(project(onnx)),
          `"${group}.folder" (carrel.json, line 4) names a model to load, and a project's file cannot choose one by itself.\nAllow it with --allow-outside (or CARREL_ALLOW_OUTSIDE=1), or name the folder in your own configuration file.`,
        )
        if (folder === '../nowhere') return
        await load({ ...project(onnx), flags: { allowOutside: true } })
        await load({ files: { 'home/.config/carrel/config.json': onnx } })
        await load({ flags: { set: [`${group}.provider=onnx`, `${group}.folder=${folder}`] } })
      })

  test('a model of the project’s does not take the place of the user’s', async () => {
    const files = {
      'home/.config/carrel/config.json': { embedding: { provider: 'onnx', folder: '../elsewhere' } },
      'project/carrel.json': { embedding: { folder: 'docs' } },
    }
    assert.match(await complaint({ files }), /cannot choose one by itself/)
    const set = ['embedding.provider=onnx']
    const own = project({ embedding: { provider: 'onnx', folder: 'docs' } })
    assert.match(await complaint({ ...own, flags: { set } }), /cannot choose one by itself/)
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
    assert.match(await complaint({ files }), /picks an environment variable to send to a server/)
  })

  test('the project does not pick a secret for a server of this machine either', async () => {
    const keyFrom = 'AWS_SECRET_ACCESS_KEY'
    const rerank = { provider: 'endpoint', shape: 'tei', model: 'm', baseUrl: server.baseUrl, keyFrom }
    for (const config of [{ embedding: { ...server, keyFrom } }, { rerank }])
      assert.match(await complaint(project(config)), /keyFrom" .* picks an environment variable to send/)
    const world = { ...project({ rerank }), env: { [keyFrom]: 'hush', CARREL_ALLOW_NETWORK: '1' } }
    assert.equal((await load(world)).settings.rerank.provider, 'endpoint')
  })

  test('a project cannot enable what the user has disabled', async () => {
    const both = (own: unknown, theirs: unknown) =>
      complaint({ files: { 'home/.config/carrel/config.json': own, 'project/carrel.json': theirs } })
    assert.equal(
      await both({ toolsets: ['documents'] }, { toolsets: ['documents', 'knowledge'] }),
      '"toolsets" (carrel.json, line 2) asks for "knowledge", which your own configuration file leaves out.\nAdd it there, or say --set toolsets=knowledge for this run.',
    )
    assert.match(await both({ readOnly: true }, { readOnly: false }), /says that nothing is written/)
  })
})
