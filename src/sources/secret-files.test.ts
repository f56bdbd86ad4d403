import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { secretIn } from './secret-files.js'

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
  ])
    test(`do not include ${path || 'nothing'}`, () => assert.equal(secretIn(path), null))
})
