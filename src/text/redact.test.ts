import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSecretName, redact } from './redact.js'

// Put together at run time, so that scanners of this repository do not take the examples for leaks.
const a = (count: number, from = 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7z') =>
  from.repeat(Math.ceil(count / from.length)).slice(0, count)
const hex = (count: number) => a(count, '0123456789abcdef')

const letters = (count: number) => a(count, 'aBqdEtgHkjKwmNoppQrsTzvWcxYsZbLLmhf')
const upper = (count: number) => a(count, 'A1B2C3D4E5F6G7H8J9K0LMNPQRSTUVWXYZ')
const lower = (count: number) => a(count, 'a1b2c3d4e5f6g7h8j9k0mnpqrstuvwxyz')
const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`

const secrets: [string, string][] = [
  ['GitHub token', `ghp_${a(36)}`],
  ['GitHub token', `gho_${a(36)}`],
  ['GitHub token', `ghs_${a(36)}`],
  ['GitHub token', `github_pat_${a(22)}_${a(59)}`],
  ['GitLab token', `glpat-${a(20)}`],
  ['GitLab token', `glrt-${a(20)}`],
  ['Bitbucket token', `ATBB${a(32)}`],
  ['Atlassian token', `ATATT3${a(180)}=${hex(8)}`],
  ['AWS key', `AKIA${a(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`],
  ['AWS key', `ASIA${a(16, '2ABCDEFGHIJKLMNOPQRSTUVWXYZ34567')}`],
  ['Slack token', `xoxb-${a(11, '0123456789')}-${a(24)}`],
  ['Slack token', `xoxe.xoxp-1-${a(60)}`],
  ['Slack token', `xapp-1-${upper(11)}-${a(13, '0123456789')}-${hex(64)}`],
  ['Slack webhook', `https://hooks.slack.com/services/T${a(8)}/B${a(8)}/${a(24)}`],
  ['Discord webhook', `https://discord.com/api/webhooks/${a(18, '1234567890')}/${a(68)}`],
  ['Discord token', `M${a(24)}.${a(6)}.${a(30)}`],
  [
    'Teams webhook',
    `https://acme.webhook.office.com/webhookb2/${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}`,
  ],
  ['Stripe key', `sk_live_${a(24)}`],
  ['Stripe key', `rk_live_${a(24)}`],
  ['Stripe key', `whsec_${a(32)}`],
  ['Square token', `sq0atp-${a(22)}`],
  ['Braintree token', `access_token$production$${lower(16)}$${hex(32)}`],
  ['Plaid token', `access-production-${uuid()}`],
  ['Shippo token', `shippo_live_${hex(40)}`],
  ['EasyPost key', `EZAK${a(54)}`],
  ['OpenAI key', `sk-proj-${a(48)}`],
  ['OpenAI key', `sk-${a(48)}`],
  ['Anthropic key', `sk-ant-api03-${a(80)}`],
  ['OpenRouter key', `sk-or-v1-${hex(64)}`],
  ['Groq key', `gsk_${a(52)}`],
  ['Perplexity key', `pplx-${a(48)}`],
  ['xAI key', `xai-${a(80)}`],
  ['Replicate token', `r8_${a(37)}`],
  ['LangSmith key', `lsv2_pt_${hex(32)}_${hex(10)}`],
  ['Pinecone key', `pcsk_${a(6)}_${a(60)}`],
  ['Tavily key', `tvly-dev-${a(32)}`],
  ['Google key', `AIza${a(35)}`],
  ['Google key', `ya29.${a(100)}`],
  ['Google key', `GOCSPX-${a(28)}`],
  ['Google key', `1//0${a(60)}`],
  ['npm token', `npm_${a(36)}`],
  ['PyPI token', `pypi-AgEIcHlwaS5vcmc${a(60)}`],
  ['RubyGems key', `rubygems_${hex(48)}`],
  ['crates.io token', `cio${a(32)}`],
  ['NuGet key', `oy2${lower(43)}`],
  ['Docker token', `dckr_pat_${a(27)}`],
  ['SonarQube token', `sqp_${hex(40)}`],
  ['Hugging Face token', `hf_${a(34)}`],
  ['Hugging Face token', `hf_${letters(34)}`],
  ['Hugging Face token', `api_org_${a(34, 'QwErTyUiOpAsDfGhJkLzXcVbNm')}`],
  ['GitHub token', `ghp_${letters(36)}`],
  ['SendGrid key', `SG.${a(22)}.${a(43)}`],
  ['Mailgun key', `key-${hex(32)}`],
  ['Mailgun key', `${hex(32)}-${hex(8)}-${hex(8)}`],
  ['Mailchimp key', `${hex(32)}-us12`],
  ['Brevo key', `xkeysib-${hex(64)}-${a(16)}`],
  ['Twilio key', `SK${hex(32)}`],
  ['DigitalOcean token', `dop_v1_${hex(64)}`],
  ['Alibaba key', `LTAI${a(20)}`],
  ['Heroku key', `HRKU-${a(60)}`],
  ['Netlify token', `nfp_${a(36)}`],
  ['Fly token', `fo1_${a(43)}`],
  ['Supabase key', `sbp_${hex(40)}`],
  ['PlanetScale token', `pscale_tkn_${a(43)}`],
  ['Terraform token', `${a(14)}.atlasv1.${a(67)}`],
  ['Pulumi token', `pul-${hex(40)}`],
  ['Doppler token', `dp.pt.${a(43)}`],
  ['Databricks token', `dapi${hex(32)}`],
  ['Shopify token', `shpat_${hex(32)}`],
  ['Telegram token', `123456789:AA${a(33)}`],
  ['Vault token', `hvs.${a(28)}`],
  ['Grafana token', `glsa_${a(32)}_${hex(8)}`],
  ['New Relic key', `NRAK-${upper(27)}`],
  ['Sentry token', `sntryu_${hex(64)}`],
  ['Dynatrace token', `dt0c01.${upper(24)}.${upper(64)}`],
  ['Linear key', `lin_api_${a(40)}`],
  ['Notion token', `ntn_${a(46)}`],
  ['Airtable token', `pat${a(14)}.${hex(64)}`],
  ['Figma token', `figd_${a(40)}`],
  ['HubSpot token', `pat-na1-${uuid()}`],
  ['Postman key', `PMAK-${hex(24)}-${hex(34)}`],
  ['Contentful token', `CFPAT-${a(43)}`],
  ['Mapbox token', `sk.eyJ${a(60)}.${a(22)}`],
  ['JWT', `eyJ${a(20)}.eyJ${a(30)}.${a(43)}`],
  ['Azure key', `AccountKey=${a(86)}==`],
  ['Azure key', `${a(3)}8Q~${a(34)}`],
  ['age key', `AGE-SECRET-KEY-1${upper(58)}`],
  ['age key', `AGE-SECRET-KEY-1${upper(48)}`],
  ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${a(64)}\n${a(64)}\n-----END RSA PRIVATE KEY-----`],
  ['private key', `-----BEGIN OPENSSH PRIVATE KEY-----\n${a(64)}`],
  ['private key', `-----BEGIN EC PRIVATE KEY-----\n${a(64)}\n-----END EC PRIVATE KEY-----`],
  ['private key', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${a(64)}\n-----END PGP PRIVATE KEY BLOCK-----`],
  ['private key', `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n${a(44)}`],
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
    ['password = "correct horse"', 'password = "[redacted]"'],
    [
      'mongodb+srv://app:p@ss:w0rd@cluster0.example.net/x',
      'mongodb+srv://app:[redacted password]@cluster0.example.net/x',
    ],
    ['amqp://guest:guest@mq:5672/v', 'amqp://guest:[redacted password]@mq:5672/v'],
    [
      'Server=db;User Id=sa;Password=letmein;Encrypt=true',
      'Server=db;User Id=sa;Password=[redacted];Encrypt=true',
    ],
    ['jdbc:mysql://db/x?user=root&password=s3same', 'jdbc:mysql://db/x?user=root&password=[redacted]'],
    [
      'https://x.example/cb?code=1&access_token=abcdef123',
      'https://x.example/cb?code=1&access_token=[redacted]',
    ],
    ['machine api.example login me password s3same', 'machine api.example login me password [redacted]'],
    ['//registry.example/:_authToken=abc123def456', '//registry.example/:_authToken=[redacted]'],
    ['DB_PASSWORD=letmein', 'DB_PASSWORD=[redacted]'],
    ['Cookie: session=abcdef; theme=dark', 'Cookie: [redacted]'],
    ['curl -u admin:hunter2 https://x.example', 'curl -u admin:[redacted] https://x.example'],
    ['the password is hunter2x, tell nobody', 'the password is [redacted], tell nobody'],
    ['mysqldump --password=s3same99 db', 'mysqldump --password=[redacted] db'],
    ['mysqldump -uroot -pSup3rS3cret9 shop', 'mysqldump -uroot -p[redacted] shop'],
    ["mysql -h db -p'hunter' < dump.sql", "mysql -h db -p'[redacted]' < dump.sql"],
    ['sshpass -p Sup3rS3cret9 ssh root@db', 'sshpass -p [redacted] ssh root@db'],
    ['sshpass -phunter2 scp a b:', 'sshpass -p[redacted] scp a b:'],
    ['redis-cli -h cache -a s3same99 ping', 'redis-cli -h cache -a [redacted] ping'],
    ['{\\"api_key\\":\\"abc123def456\\"}', '{\\"api_key\\":\\"[redacted]\\"}'],
    ['curl -H "X: 1" with Bearer abcdefghij0123456789klm', 'curl -H "X: 1" with Bearer [redacted]'],
    ["DB_PASSWORD='s3cret!'", "DB_PASSWORD='[redacted]'"],
    ['api_key: 4f9a8b7c6d5e', 'api_key: [redacted]'],
    ['{"clientSecret":"abc123def456"}', '{"clientSecret":"[redacted]"}'],
    ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG', 'AWS_SECRET_ACCESS_KEY=[redacted]'],
  ]
  const drawn = `9f8a${'7b6c5d4e3f2a1b0c'}9d8e`
  const aws = `wJ4lrXUtn9EMI/${'K7MDENG'}/bPxRfiCYq3vTz8LmNo`
  const told: [string, string][] = [
    ['The AWS secret access key is % for prod', aws],
    ['The access key of the bucket was %', aws],
    ['the secret %, not the id', aws],
    ['Password for the staging db: %', 'Tr0ub4dor3xyz!'],
    ['The password of the staging db is %.', 'Tr0ub4dor3xyz'],
    ['password for db.example.org is "%"', 'Summer2024'],
    ['The password (staging) is now %', 'Summer2024#'],
    ['The password on staging was changed: it is no longer the old one. Password: %', 'Summer2024'],
    ['The token for CI is %', drawn],
    ['The API key we got for the maps: `%`', drawn],
    ['The deploy-key for the mirror is set to %', drawn],
    ['log in with password % there', 'Tr0ub4dor3xyz'],
    ['(the passphrase is %)', 'hunter2x'],
    ['The password for the nas is %', 'es2!Xy99'],
    ['The AWS secret access key is %', `/K7${aws.slice(3)}`],
    ['Passwort: % for staging', 'Tr0ub4dor3xyz'],
    ['Das Passwort ist geheim: %', 'Tr0ub4dor&3xyz'],
    ['Das Kennwort für die Testdatenbank lautet %', 'Sommer2024'],
    ['login admin / % on staging', 'Hunter2Hunter2'],
    ['Credentials for staging: %', 'admin/Tr0ub4dor3xyz'],
  ]
  for (const [sentence, secret] of told)
    test(`are recognised by how they are told: ${sentence}`, () => {
      assert.equal(redact(sentence.replace('%', secret)), sentence.replace('%', '[redacted]'))
    })

  for (const [given, expected] of assigned)
    test(`are recognised by where they stand: ${given}`, () => assert.equal(redact(given), expected))

  const innocent = [
    'The token: required, see the guide.',
    'password: ask the administrator',
    'mysql -u root -p shop',
    'mysql -p$DB_PASSWORD shop, and mkdir -p src/shop',
    'mysql runs in the container; docker run -p 3306:3306 starts it',
    'sshpass -p "$SSH_PASSWORD" ssh db',
    'For mysql say docker run -p3306:3306, then find . -path src -print',
    'mysql -p"$DB_PASSWORD" shop',
    'Set API_KEY=$CARREL_KEY before the start.',
    'const token = process.env.TOKEN',
    'https://example.org:8080/path?x=1',
    'sk-learn and ask-me are words; so is risk-averse.',
    'See RFC 7519 about eyJ tokens.',
    'the secret: we never sleep',
    `commit ${hex(40)}`,
    `sha256:${hex(64)}`,
    `sha512-${a(86)}==`,
    `md5 ${hex(32)}`,
    uuid(),
    `id: ${uuid()}`,
    `data:image/png;base64,iVBORw0KGgo${a(120)}==`,
    `"integrity": "sha512-${a(86)}=="`,
    'AKIAIOSFODNN7EXAMPLE',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'api_key = "your-api-key-here"',
    'token: "xxxxxxxxxxxxxxxx"',
    'API_KEY=your_api_key',
    'API_KEY=<your key>',
    'password: "********"',
    `sk-${'x'.repeat(40)}`,
    'sk-loading-spinner-container-wide',
    'ghp_ is the prefix of personal tokens',
    'class="pk-button-primary"',
    'npm_config_registry=https://registry.npmjs.org/',
    'max_tokens: 4096',
    'tokenizer = new Tokenizer2000()',
    'tokens = 128000',
    'const secret = getSecret("database")',
    'password = config.database.password1',
    "const password = await readPassword('db1')",
    `token = \${{ secrets.DEPLOY_TOKEN_2 }}`,
    'postgres://user:$PASSWORD@localhost/db',
    'postgres://user:<password>@localhost/db',
    'postgres://localhost:5432/db',
    'git@github.com:acme/repo.git',
    'http://[::1]:8080/',
    'The passwords are hashed with argon2id.',
    'password is required and must be at least 12 characters',
    'Authorization header: see docs',
    'import { secret } from "./secret.js"',
    'v1.0-rc1 and v2.0.0-beta.12',
    'arn:aws:iam::123456789012:role/deploy',
    'SKU12345678 and SKELETON',
    'hf_transfer and hf_hub_download are functions',
    'hf_some_ordinary_variable_name_with_words is one, too',
    'hf_TransformerModelConfigurationForSequences and hf_loadtheconfigurationofthewholemodel',
    'hf_XMLHTTPRequestURLParserForHTMLAndJSONDocuments',
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ user@host',
    '-----BEGIN CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----',
    'cookies: two of them, none secret',
    'The cookie: sweet and round',
    'secretary=Jane2 and secretion',
    'keyboard=us-intl2',
    'x-request-id: 7f3c9a52d1e84b06',
    'color: #a1b2c3d4; width: 100%',
    'Monday 12:30, room 4: bring the token ring',
    'The token for CI is base64-encoded',
    'The token is base64 encoded and signed',
    'The token of a session is sha256-hashed',
    'The password of a user is argon2id-hashed, never stored',
    'The password for staging: 1Password has it',
    'The token for CI is in GITHUB_TOKEN_2 and lasts until 2026-01-01T10:00:00Z',
    'The token for the proxy is oauth2-proxy-cookie',
    'The token for CI is stored in k8s-secrets-v2',
    'The token endpoint is /oauth2/token',
    'The token for uploads: https://x1y2z3a4.example.org/token',
    'The access key for the door is with Bob in room 12b',
    'The secret for webhooks is: see the vault at kv/data/app2',
    'The token of step2 is refreshed after 30min',
    'The signing key for tokens is RS256 or ES256-K',
    'The API key of the client is X-Api-Key2',
    'Tokens in v2 are opaque; the token for v1 is a JWT (RFC7519).',
    'The secret to speed is measuring: p99 below 200ms',
    `The password for the test user is \${TEST_PASSWORD_1}`,
    'The password for admins is 16-character random text',
    'The password for the test user is your-password1',
    'login page: see /src/app2web3/login.ts',
    'token budget is 6000 tokens for gpt4turbo2024x',
    'the credentials in config.staging2.json are old',
    'user alice / team b2b4c',
  ]
  for (const text of innocent) test(`leaves alone: ${text}`, () => assert.equal(redact(text), text))

  test('redacting twice changes nothing more', () => {
    const once = redact(secrets.map(([, secret]) => `token="${secret}"`).join('\n'))
    assert.equal(redact(once), once)
  })

  test('long hostile text takes no long time', () => {
    const hostile = [
      'eyJ',
      'sk-',
      '-----BEGIN A ',
      'a://b:',
      'password=',
      'xoxb-',
      'token: "',
      'password for ',
      'login a/',
      'token is ',
    ]
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(400_000 / piece.length))
      const started = process.cpuUsage()
      redact(text)
      const ms = process.cpuUsage(started).user / 1_000
      assert.ok(ms < 3_000, `${piece} took ${ms} ms`)
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
