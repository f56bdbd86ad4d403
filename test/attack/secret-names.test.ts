// Files that hold secrets by their name stay out of the index, of grep, of read_file and of uploads, however the name is
// written. Every way asks the same list.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { listFolder } from '../../src/sources/folder.js'
import { neverRead } from '../../src/sources/path-rules.js'
import { context } from '../../src/toolsets/context/toolset.js'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { graph } from '../../src/toolsets/graph/toolset.js'
import { knowledge } from '../../src/toolsets/knowledge/toolset.js'
import { project } from '../packages/package-world.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'

const secret = [
  // Named in the audit
  ...[
    '.mcp.json',
    '.claude.json',
    '.claude/settings.local.json',
    '.cursor/mcp.json',
    '.yarnrc.yml',
    'auth.json',
  ],
  ...['backend/auth.json', 'ssh_host_rsa_key', 'etc/ssh_host_ed25519_key', 'deploy_key', 'ci/deploy_key'],
  ...['github_rsa', 'keys/prod_rsa', 'server_ed25519', 'private.asc', 'my-service-account.json', '.flaskenv'],
  ...[
    'service_account_prod.json',
    'serviceAccountKey.json',
    '.sentryclirc',
    '.curlrc',
    'nuget.config',
    'NuGet.Config',
  ],
  // Their like
  ...[
    '.vscode/mcp.json',
    '.roo/mcp.json',
    'mcp_config.json',
    'cline_mcp_settings.json',
    'claude_desktop_config.json',
  ],
  ...['.gemini/oauth_creds.json', '.codex/config.toml', '.wgetrc', '.condarc', 'pip.conf', '.bundle/config'],
  ...['key.properties', 'wp-config.php', '.vault_password', 'gcp-key-prod.json', 'backup.gpg', '.yarnrc'],
  ...['.vscode/sftp.json', '.rbenv-vars', '.cloudflared/cert.json', 'home/.config/glab-cli/config.yml'],
  // Other spellings of the same names
  ...[
    '.env ',
    ' .env',
    '.env.',
    '.ENV',
    '.Env ',
    'a/.env /b.md',
    '.e\u200bnv',
    '\uff0eenv',
    '.GIT/config',
    '.Git/config',
  ],
  ...[
    '.git /config',
    '.g\u200cit/config',
    '.NPMRC',
    '.npmrc ',
    '.netrc.',
    'ID_RSA',
    'id_rsa ',
    'Server.KEY ',
  ],
  ...[
    '.aws /credentials',
    '.\uff53\uff53\uff48/known_hosts',
    'credentials.json ',
    'Secrets.YML.',
    '.MCP.json',
  ],
  ...['.claude /settings.local.json', '.Cursor/MCP.JSON', 'Deploy_Key', '.env~ ', '.ENV.Local ', '\u2024env'],
]

const plain = [
  ...[
    'locales/en/auth.json',
    'src/i18n/de/auth.json',
    'auth.ts',
    'auth.json.md',
    'src/auth/login.ts',
    'mcp.json',
  ],
  ...[
    'mcp.md',
    '.claude/settings.json',
    '.claude/commands/review.md',
    '.cursor/rules/a.md',
    '.github/copilot.md',
  ],
  ...['deploy_key.md', 'deploy-key/readme.md', 'src/crypto_rsa/sign.ts', 'rsa.ts', 'docs/service-account.md'],
  ...['env.ts', 'environment.md', 'notes/env .md', 'keys.md', 'monkey.ts', 'nuget.md', 'pip.md', 'curl.md'],
  ...['git.md', 'gitignore.md', 'src/git/config.ts', 'ascii.md', 'asc.md', 'secrets.md', 'password-reset.ts'],
  ...[
    'ssh_host.md',
    'known_hosts.md',
    'token.ts',
    'wp-config-sample.php',
    'yarnrc.md',
    'sentry.ts',
    'B\u00fccher.md',
  ],
]

const mark = 'hushhush7q'
const content = (path: string) => `# ${path.replace(/[^a-z]/gi, ' ')}\n\n${mark} note about a topic\n`

describe('files that hold secrets by their name', () => {
  let world: ToolsetWorld
  before(async () => {
    world = await toolsetWorld([context, documentsToolset, graph, knowledge], {
      files: Object.fromEntries(plain.map((path) => [path, content(path)])),
      indexed: false,
    })
    for (const path of secret) {
      mkdirSync(dirname(join(world.root, path)), { recursive: true })
      writeFileSync(join(world.root, path), content(path))
    }
    const { indexAll } = await import('../../src/app/index-all.js')
    await indexAll(world.library, {})
  })
  after(() => world.close())

  test('are on one list, whatever way asks', () => {
    assert.deepEqual(
      secret.filter((path) => neverRead(path) === null),
      [],
    )
    assert.deepEqual(
      plain.filter((path) => neverRead(path) !== null),
      [],
    )
  })

  test('are not listed, and everything else is', async () => {
    const [source] = world.library.settings.sources
    const { items } = await listFolder(source!)
    assert.deepEqual(items.map(({ path }) => path).sort(), [...plain].sort())
  })

  test('are not found by grep', async () => {
    const { matches, totalMatches } = await world.ask<{ matches: { file: string }[]; totalMatches: number }>(
      'grep_codebase',
      { pattern: mark, limit: 100 },
    )
    assert.deepEqual([...new Set(matches.map(({ file }) => file))].sort(), [...plain].sort())
    assert.equal(totalMatches, plain.length)
  })

  test('are not found by a search', async () => {
    const { documents } = await world.library.store.documents({}, { offset: 0, limit: 1_000 })
    const found = documents.map(({ ref }) => ref.path)
    assert.deepEqual(
      found.filter((path) => !plain.includes(path)),
      [],
    )
    assert.ok(found.length > 20)
  })

  for (const path of secret)
    test(`are not read or added: ${JSON.stringify(path)}`, async () => {
      const read = await world.call('read_file', { path })
      const added = await world.call('manage_document', { action: 'create', file_path: path })
      for (const { text } of [read, added]) {
        assert.doesNotMatch(text, /note about a topic/)
        assert.match(text, /is read|never read|not found|relative|outside|upwards|not a file/i)
      }
      assert.equal((added.value as { success: boolean }).success, false)
    })
})

test('a project cannot name a folder of secrets as a package', async (t) => {
  const files = Object.fromEntries(
    ['.git/config.md', '.aws/notes.md', 'docs/a.md'].map((path) => [path, '# A\n']),
  )
  const { sync, root } = await project(t, files, { outside: false, network: false })
  for (const url of ['.git', '.aws', './docs/../.git']) {
    writeFileSync(join(root, 'context.json'), JSON.stringify({ collections: { x: { url } } }))
    const [report] = await sync()
    assert.match(report?.error ?? '', /"x" lies in "\.(?:git|aws)", which may hold secrets/, url)
  }
  writeFileSync(join(root, 'context.json'), JSON.stringify({ collections: { x: { url: 'docs' } } }))
  const [report] = await sync()
  assert.equal(report?.error ?? null, null)
})
