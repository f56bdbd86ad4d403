import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { processorTime } from '../../test/support/processor-time.js'
import { isSecretStill, secretIn } from './secret-files.js'

describe('files that hold secrets by their name', () => {
  for (const path of [
    ...['.env', '.ENV', 'a/.Env.production', 'prod.env', 'Deploy/Prod.ENV', '.envrc'],
    ...['id_rsa', 'ID_RSA', 'keys/id_dsa', 'id_ed25519.bak', 'Prod.PEM', 'tls/server.key', 'putty.ppk'],
    ...['.AWS/credentials', '.aws\\credentials', '.ssh/known_hosts', '.git-credentials', '.vault-token'],
    ...['home/.config/gh/hosts.yml', 'credentials.json', 'Config/Secrets.yml', '.streamlit/secrets.toml'],
    ...['service-account.json', 'keys/client_secret_1.apps.json', 'kubeconfig.yaml', 'prod.kubeconfig'],
    ...['.kube/config', 'home/.Kube/Config', '.docker/config.json', 'a\\.docker\\config.json'],
    ...[
      'prod.tfvars',
      'prod.auto.tfvars',
      'prod.tfvars.json',
      'terraform.tfstate',
      'terraform.tfstate.backup',
    ],
    ...[
      '.env~',
      '.env_prod',
      '.env-prod',
      'env.local',
      '.envs/.production/.postgres',
      '.dev.vars',
      '.flask.env.old',
    ],
    ...[
      'server.key.bak',
      'server.key.bak2',
      'server.key.OLD',
      'server.key.orig',
      'tls/server.key.save',
      'a.pem.1',
    ],
    ...[
      '.server.key.swp',
      '.secrets.yml.swo',
      '.netrc.swp',
      '#secrets.yml#',
      'secrets.yml.~1~',
      '.git-credentials~',
    ],
    ...[
      '.netrc.bak',
      '.pgpass.2024',
      '.pgpass.2024-05-01',
      '.pgpass.20240501-1200',
      '.npmrc.backup',
      '.npmrc.bak~',
    ],
    ...[
      '.kube/config.bak',
      '.docker/config.json.bak',
      '.aws.old/credentials',
      '.kube/config-2024',
      'a\\.kube\\config~',
    ],
    ...[
      'credentials (1).json',
      'credentials.old.json',
      'secrets copy.yml',
      'secrets copy 2.yml',
      'Secrets - Copy.json',
      'Secrets - Copy 2.json',
      '.netrc - Copy 2',
    ],
    ...[
      'backup.id_rsa',
      'old.id_rsa',
      'old-credentials.json',
      'Copy of credentials.json',
      'secrets-2024.yml',
    ],
    ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.azure/msal_token_cache.json'],
    ...[
      '.terraform.d/credentials.tfrc.json',
      '.terraformrc',
      '.config/rclone/rclone.conf',
      '.s3cfg',
      '.boto',
    ],
    ...[
      '.dockerconfigjson',
      'kubeconfig',
      'ops/KubeConfig',
      'kubeconfig.bak',
      'keys/AuthKey_ABC.p8',
      'wg0.conf',
    ],
    ...[
      'x-firebase-adminsdk-1.json',
      'service-account-prod.json',
      'credentials.yml',
      'credentials.csv',
      'rootkey.csv',
    ],
    ...[
      'secret.yaml',
      '.secrets',
      '_netrc',
      '.bash_history',
      '.zsh_history',
      '.m2/settings.xml',
      '.credentials.json',
    ],
  ])
    test(`include ${path}`, () => assert.notEqual(secretIn(path), null))

  for (const path of [
    ...['environment.md', 'env.ts', 'docs/env', 'src/environment/a.ts', 'keys.md', 'monkey'],
    ...[
      '.docker/Dockerfile',
      '.docker/nginx/config.json',
      'docker/config.json',
      'kube/config',
      '.kube/config.md',
    ],
    ...[
      'gh/hosts.yml',
      '.config/gh/config.yml',
      'credentials.md',
      'credentials.ts',
      'secrets.md',
      'secrets/a.md',
    ],
    ...['service-account.md', 'pkg/kubeconfig/write.go', 'docs/client_secret.md', 'my-credentials.json.md'],
    ...['x.kube/config', 'main.tf', 'my_id_rsa.md', 'pem.md', ''],
    ...[
      'config.json',
      'secrets.ts',
      'secret.ts',
      'secret.go',
      'credentials.go',
      'env.test.ts',
      'env.d.ts',
      'environment.local',
    ],
    ...[
      'credentials.md~',
      'secrets.ts.bak',
      'config.json.old',
      'env.ts.orig',
      'old-credentials.md',
      'copy of env.ts',
    ],
    ...[
      'backup-secrets.yml',
      'copy-secrets.yaml',
      'secrets-backup.yml',
      'secrets.schema.json',
      'secrets.test.json',
    ],
    ...[
      'server.key.md',
      'server.key.pub',
      'docs/key-2024.md',
      'old.md',
      'notes (1).md',
      'a~',
      '#a#',
      'bak',
      '.bak',
    ],
    ...[
      'keys/2024.md',
      'kubeconfig/a.go',
      'kubeconfig.go',
      'kubeconfig.md',
      'wg.conf',
      'history.md',
      'bash_history.md',
    ],
    ...['serviceaccount.yaml', 'service-accounts.md', 'service-account.ts', 'token.json', 'settings.xml'],
    ...[
      '.cargo/config.toml',
      '.gem/specs',
      '.azure/pipelines.yml',
      '.config/settings.json',
      'passwords.md',
      'npmrc.md',
    ],
  ])
    test(`do not include ${path || 'nothing'}`, () => assert.equal(secretIn(path), null))
})

describe('names made of a great many marks of copies', () => {
  for (const mark of ['-2011-11-11', '.bak', '~', '-1', ' (1)', ' - copy'])
    test(`take no time: ${mark}`, () => {
      const marks = mark.repeat(20_000 / mark.length)
      const took = processorTime(() => {
        assert.equal(isSecretStill(`notes/aws${marks}x.md`), false)
        assert.equal(isSecretStill(`notes/.netrc${marks}`), true)
        assert.equal(secretIn(`notes/secrets${marks}x.yml`), null)
      })
      assert.ok(took < 1_000, `${took} ms`)
    })
})
