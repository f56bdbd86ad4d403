import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { complaint, project, type World } from '../../../test/support/configuration.js'

describe('errors in a configuration are explained in plain words', () => {
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
      'Unknown key "__proto__" (carrel.json, line 1).\nKnown here: $schema, sources, exclude, uploadFolders, worktrees, limits, watch, engine, embedding, rerank, showWeak, architecture, toolsets, tools, excludeTools, readOnly, rateLimits.',
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
      'No source can be named "Sessions" (carrel.json, line 3): it is the name of a collection of the project’s memory.\nGive it another "name", such as "Sessions-folder".',
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
      {
        ...project({ rerank: { provider: 'onnx', folder: 'models/x' } }),
        flags: { allowOutside: true },
      },
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
      '"toolsets[1]" (CARREL_TOOLSETS) must be one of "documents", "graph", "context", "architecture", "knowledge", "desk", not "documnets".\nDid you mean "documents"?',
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
      'an option of a wrong value',
      { flags: { set: ['excludeTools=[]'], chosen: ['toolsets=["bogus"]', 'excludeTools=["no way"]'] } },
      'The configuration has 2 problems:\n- "toolsets[0]" (--toolsets) must be one of "documents", "graph", "context", "architecture", "knowledge", "desk", not "bogus".\n- "excludeTools[0]" (--exclude-tools) must be the name of a tool such as "read_file", not "no way".',
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

  test('an unreadable file is named, with a way to mend it', {
    skip: (!process.getuid || process.getuid() === 0) && 'whoever is asked may read everything',
  }, async () => {
    assert.equal(
      await complaint({ ...project({}), shut: 'project' }),
      'The root /project cannot be read (EACCES).\nLet your user read it, or name another one with --root DIR.',
    )
    assert.equal(
      await complaint({ ...project({}), shut: 'project/carrel.json' }),
      '/project/carrel.json cannot be read (EACCES).\nLet your user read it, or take it away.',
    )
  })

  test('a device in its place is refused without being read', {
    skip: process.platform === 'win32' && 'needs devices that are files',
  }, async () => {
    const zero: World = { link: ['project/carrel.json', `${'../'.repeat(30)}dev/zero`] }
    assert.equal(await complaint(zero), 'carrel.json is not a file but something else.')
  })
})
