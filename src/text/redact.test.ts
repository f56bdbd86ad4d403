import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSecretName, redact } from './redact.js'

// Put together at run time, so that scanners of this repository do not take the examples for leaks.
const a = (count: number, from = 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7z') =>
  from.repeat(Math.ceil(count / from.length)).slice(0, count)
const hex = (count: number) => a(count, '0123456789abcdef')

const secrets: [string, string][] = [
  ['GitHub token', `ghp_${a(36)}`],
  ['GitHub token', `github_pat_${a(22)}_${a(59)}`],
  ['GitLab token', `glpat-${a(20)}`],
  ['AWS key', `AKIA${a(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`],
  ['Slack token', `xoxb-${a(11, '0123456789')}-${a(24)}`],
  ['Slack webhook', `https://hooks.slack.com/services/T${a(8)}/B${a(8)}/${a(24)}`],
  ['Stripe key', `sk_live_${a(24)}`],
  ['OpenAI key', `sk-proj-${a(48)}`],
  ['OpenAI key', `sk-${a(48)}`],
  ['Anthropic key', `sk-ant-api03-${a(80)}`],
  ['Google key', `AIza${a(35)}`],
  ['npm token', `npm_${a(36)}`],
  ['PyPI token', `pypi-AgEIcHlwaS5vcmc${a(60)}`],
  ['Hugging Face token', `hf_${a(34)}`],
  ['SendGrid key', `SG.${a(22)}.${a(43)}`],
  ['Twilio key', `SK${hex(32)}`],
  ['DigitalOcean token', `dop_v1_${hex(64)}`],
  ['Shopify token', `shpat_${hex(32)}`],
  ['Telegram token', `123456789:AA${a(33)}`],
  ['Vault token', `hvs.${a(28)}`],
  ['JWT', `eyJ${a(20)}.eyJ${a(30)}.${a(43)}`],
  ['Azure key', `AccountKey=${a(86)}==`],
  ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${a(64)}\n${a(64)}\n-----END RSA PRIVATE KEY-----`],
  ['private key', `-----BEGIN OPENSSH PRIVATE KEY-----\n${a(64)}`],
]

describe('secrets', () => {
  for (const [what, secret] of secrets)
    test(`are recognised in their own form: ${what}, ${secret.slice(0, 12)}…`, () => {
      const clean = redact(`before ${secret} after`)
      assert.match(clean, new RegExp(`\\[redacted ${what}\\]`))
      assert.ok(!clean.includes(secret.slice(-12)), clean)
    })

  const assigned: [string, string][] = [
    ['postgres://carrel:hunter2@db.example.org/x', 'postgres://carrel:[redacted password]@db.example.org/x'],
    ['redis://:p4ss@cache:6379', 'redis://:[redacted password]@cache:6379'],
    ['Authorization: Bearer abcdef0123456789', 'Authorization: Bearer [redacted]'],
    ['"authorization": "Basic dXNlcjpwYXNz"', '"authorization": "Basic [redacted]"'],
    ['password = "correct horse"', 'password = "[redacted] horse"'],
    ["DB_PASSWORD='s3cret!'", "DB_PASSWORD='[redacted]'"],
    ['api_key: 4f9a8b7c6d5e', 'api_key: [redacted]'],
    ['{"clientSecret":"abc123def456"}', '{"clientSecret":"[redacted]"}'],
    ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG', 'AWS_SECRET_ACCESS_KEY=[redacted]'],
  ]
  for (const [given, expected] of assigned)
    test(`are recognised by where they stand: ${given}`, () => assert.equal(redact(given), expected))

  const innocent = [
    'The token: required, see the guide.',
    'password: ask the administrator',
    'Set API_KEY=$CARREL_KEY before the start.',
    'const token = process.env.TOKEN',
    'https://example.org:8080/path?x=1',
    'sk-learn and ask-me are words; so is risk-averse.',
    'See RFC 7519 about eyJ tokens.',
    'the secret: we never sleep',
  ]
  for (const text of innocent) test(`leaves alone: ${text}`, () => assert.equal(redact(text), text))

  test('redacting twice changes nothing more', () => {
    const once = redact(secrets.map(([, secret]) => `token="${secret}"`).join('\n'))
    assert.equal(redact(once), once)
  })

  test('a megabyte of hostile text takes no long time', () => {
    const hostile = ['eyJ', 'sk-', '-----BEGIN A ', 'a://b:', 'password=', 'xoxb-', 'token: "']
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
      const started = performance.now()
      redact(text)
      assert.ok(performance.now() - started < 2_000, `${piece} took ${performance.now() - started} ms`)
    }
  })
})

test('names of secrets are known in every spelling', () => {
  for (const name of [
    'password',
    'db_password',
    'apiKey',
    'API_KEY',
    'accessToken',
    'client-secret',
    'Authorization',
  ])
    assert.ok(isSecretName(name), name)
  for (const name of ['max_tokens', 'tokenizer', 'key', 'query', 'path', 'secretary'])
    assert.ok(!isSecretName(name), name)
})
