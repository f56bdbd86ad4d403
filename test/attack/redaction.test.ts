// What is recorded or logged keeps no secret, in whatever form it is written, and ordinary text stays as it is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { redact } from '../../src/text/redact.js'
import { processorTime } from '../support/processor-time.js'

// Put together at run time, so that scanners of this repository do not take the examples for leaks.
const drawn = ['9f8a', '7b6c5d4e3f2a1b0c', '9d8e'].join('')
const github = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zaB3dE6gH'}`
const openai = `sk-proj-${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zaB3dE6gH'}`
const hide = (text: string, sign: string) => text.replace(/(.{5})/g, `$1${sign}`)

/** A text, and the part of it that must not be left. */
const secrets: [string, string][] = [
  // Emphasised labels
  ['**Password**: hunter2x9', 'hunter2x9'],
  ['**Password:** hunter2x9', 'hunter2x9'],
  ['__Password__: hunter2x9', 'hunter2x9'],
  ['*password* = hunter2x9', 'hunter2x9'],
  ['- **DB password**: `hunter2x9`', 'hunter2x9'],
  ['- **API key:** `4f9a8b7c6d5e`', '4f9a8b7c6d5e'],
  ['`password`: hunter2x9', 'hunter2x9'],
  ['***Token***: 4f9a8b7c6d5e', '4f9a8b7c6d5e'],
  ['~~Password~~: hunter2x9', 'hunter2x9'],
  ['# Password: hunter2x9', 'hunter2x9'],
  ['> Password: hunter2x9', 'hunter2x9'],
  ['<b>Password</b>: hunter2x9', 'hunter2x9'],
  ['<strong>Password:</strong> hunter2x9', 'hunter2x9'],
  // Tables
  ['| Password | hunter2x9 |', 'hunter2x9'],
  ['| **Password** | `hunter2x9` |', 'hunter2x9'],
  ['| DB password | hunter2x9 | staging |', 'hunter2x9'],
  ['| api_key | 4f9a8b7c6d5e |', '4f9a8b7c6d5e'],
  ['| user | password |\n|---|---|\n| bob | hunter2x9 |', 'hunter2x9'],
  ['| password | user |\n|:--|--:|\n| hunter2x9 | bob |\n| Tr0ub4dor | amy |', 'Tr0ub4dor'],
  ['user | token\n--- | ---\nci | 4f9a8b7c6d5e', '4f9a8b7c6d5e'],
  ['<tr><td>Password</td><td>hunter2x9</td></tr>', 'hunter2x9'],
  ['<th>API key</th>\n<td> 4f9a8b7c6d5e </td>', '4f9a8b7c6d5e'],
  ['user,password\nbob,hunter2x9', 'hunter2x9'],
  ['user;password\nbob;hunter2x9\namy;Tr0ub4dor', 'Tr0ub4dor'],
  // Words alone
  ['password: correcthorse', 'correcthorse'],
  ['Password: correcthorsebattery', 'correcthorsebattery'],
  ['password = opensesame', 'opensesame'],
  ['passphrase: correct-horse-battery-staple', 'battery'],
  ['db.password=swordfishes', 'swordfishes'],
  ['spring.datasource.password=letmeinplease', 'letmeinplease'],
  ['password: Correcthorse!', 'Correcthorse'],
  ['the password is correct-horse-battery-staple', 'battery'],
  ['Passwort: korrektespferd', 'korrektespferd'],
  // Client secrets and their like
  ['client_secret=abcdefgh', 'abcdefgh'],
  ['client_secret=Zq8~x7', 'Zq8~x7'],
  ['grant_type=client_credentials&client_id=a&client_secret=hunter2', 'hunter2'],
  ['client_secret: hunter2x9', 'hunter2x9'],
  ['clientSecret=hunter2x9', 'hunter2x9'],
  ['"client_secret" : "abcdefgh"', 'abcdefgh'],
  ['OAUTH_CLIENT_SECRET=abcdefgh', 'abcdefgh'],
  ['app_secret=hunter2x9', 'hunter2x9'],
  ['consumer_secret = 4f9a8b7c6d', '4f9a8b7c6d'],
  ['webhook_secret: 4f9a8b7c6d', '4f9a8b7c6d'],
  ['secret_key_base: 4f9a8b7c6d5e4f9a', '4f9a8b7c6d5e4f9a'],
  ['SECRET_KEY = "django-insecure-4f9a8b7c"', '4f9a8b7c'],
  ['jwt_secret: 4f9a8b7c6d', '4f9a8b7c6d'],
  ['auth_token=4f9a8b7c6d', '4f9a8b7c6d'],
  ['X-Api-Key: 4f9a8b7c6d5e', '4f9a8b7c6d5e'],
  ['x-auth-token: 4f9a8b7c6d5e', '4f9a8b7c6d5e'],
  ['Ocp-Apim-Subscription-Key: 4f9a8b7c6d5e4f9a8b7c6d5e', '8b7c6d5e4f9a'],
  // A name and its value apart
  ['- name: DB_PASSWORD\n  value: hunter2x9', 'hunter2x9'],
  ['{"name": "DB_PASSWORD", "value": "hunter2x9"}', 'hunter2x9'],
  ['{"Key": "ApiKey", "Value": "4f9a8b7c6d5e"}', '4f9a8b7c6d5e'],
  ['<add key="Password" value="hunter2x9" />', 'hunter2x9'],
  ['<input type="password" value="hunter2x9">', 'hunter2x9'],
  ['<entry key="db.password">hunter2x9</entry>', 'hunter2x9'],
  ['password: |\n  hunter2x9', 'hunter2x9'],
  ['password: >-\n  hunter2x9', 'hunter2x9'],
  // Short, of digits, or well known
  ['password: 12345678', '12345678'],
  ['DB_PASSWORD: letmein', 'letmein'],
  ['Password: letmein', 'letmein'],
  ['WIFI_PSK=correcthorse', 'correcthorse'],
  ['authorization: 4f9a8b7c6d5e4f9a', '4f9a8b7c6d5e4f9a'],
  // Signs that are not seen
  [hide(github, '\u200b'), '2mN5'],
  [hide(github, '\u200d'), '2mN5'],
  [hide(openai, '\u2060'), '2mN5'],
  [hide(openai, '\ufeff'), '2mN5'],
  [hide(github, '\u00ad'), '2mN5'],
  ['pass\u200bword: hunter2x9', 'hunter2x9'],
  ['password: hun\u200bter\u200b2x9', '2x9'],
  // Full-width and other forms of signs
  ['password\uff1a hunter2x9', 'hunter2x9'],
  ['password \u2192 hunter2x9', 'hunter2x9'],
  ['password \u2014 hunter2x9', 'hunter2x9'],
  // In code and in programs
  ['--password hunter2x9', 'hunter2x9'],
  ['--client-secret=abcd1234', 'abcd1234'],
  ['PGPASSWORD=correcthorse psql -h db', 'correcthorse'],
  ['export MYSQL_PWD=correcthorse', 'correcthorse'],
  ['password => "correcthorse"', 'correcthorse'],
  ["'password' => 'correcthorse',", 'correcthorse'],
  ['password := "correcthorse"', 'correcthorse'],
  ['os.environ["DB_PASSWORD"] = "correcthorse"', 'correcthorse'],
  ['setPassword("correcthorse9")', 'correcthorse9'],
  ['IDENTIFIED BY "correcthorse"', 'correcthorse'],
  ["CREATE USER bob WITH PASSWORD 'correcthorse'", 'correcthorse'],
  ['net use z: \\\\srv\\share /user:bob hunter2x9', 'hunter2x9'],
  [`X-Vault-Token: ${drawn}`, drawn],
  [`curl -H 'Private-Token: ${drawn}'`, drawn],
  [`https://${drawn}@git.example.org/a.git`, drawn],
]

const ordinary = [
  // Types and signatures
  ...[
    'password: string',
    'token: Token',
    'password: String,',
    'secret: SecretStr',
    'password: Optional[str] = None',
  ],
  ...[
    'password?: string | undefined',
    'apiKey: string;',
    'readonly token: CancellationToken',
    'password: PasswordHash',
  ],
  ...[
    'def login(user: str, password: str) -> Token:',
    'login(user, password)',
    'client_secret=client_secret,',
  ],
  ...['token = tokens[0]', 'const secret = createSecret(32)', 'secret=settings.secret', 'token=token'],
  ...['password: passwordField.value', 'z.object({ password: z.string().min(12) })', 'password: z.string()'],
  ...['if (password === confirmPassword) return', 'password VARCHAR(255) NOT NULL', 'token: yytoken_kind_t'],
  // Prose and documentation of settings
  ...['Password: required', 'password: ask the administrator', 'Password: unchanged since January'],
  ...['The password is hashed.', 'The password is encrypted with argon2id.', 'password: see the vault'],
  ...[
    '**Password**: required',
    '**Token**: the token of the session',
    '**Password**: string, at least 12 characters',
  ],
  ...[
    '| password | string | The password of the user |',
    '| `token` | string | yes |',
    '| Password | required |',
  ],
  ...['| name | password |\n|---|---|\n| type | string |', '| secret | The name of the secret |'],
  ...['<td>Password</td><td>required</td>', '<td>token</td><td>string</td>', 'user,password\nstring,string'],
  ...[
    'Set client_secret=YOUR_CLIENT_SECRET first.',
    'client_secret=<your secret>',
    'client_secret=$CLIENT_SECRET',
  ],
  ...[
    'client_secret=xxxxxxxx',
    'password: changeme',
    'password: "********"',
    'password: example',
    'password:',
  ],
  ...[
    'Password: incorrect',
    'password: forgotten',
    'Password: hidden',
    'password: optional',
    'password=password',
  ],
  ...[
    'The secret of good tests is data.',
    'secret: we never sleep',
    'The token \u2014 a JWT \u2014 expires.',
  ],
  ...[
    'Token bucket: 100 requests',
    'max_tokens: 4096',
    'tokenizer: wordpiece',
    'passwords: hashed',
    'keyFrom: API_KEY',
  ],
  ...['password policy: twelve characters', 'Passwordless login: enabled', 'secret scanning: enabled'],
  ...['password manager: bitwarden', 'Password reset: described below', 'password hashing: argon2id'],
  ...[
    '<input type="password" value="">',
    '<input type="password" name="value1">',
    '- name: password\n  type: string',
  ],
  ...[
    '{"name": "token", "value": "string"}',
    'PASSWORD: string',
    'password: |\n  required',
    'Authorization: required',
  ],
  ...[
    'password length: 12',
    'password: 12 characters',
    'Password: strong',
    'password: random',
    'Bearer: required',
  ],
  ...[
    "console.log('password:', password)",
    `Authorization: \`Bearer \${key}\``,
    '"authorization": "[REDACTED]"',
  ],
  ...[
    '/(?:tkn|pw|oauth2)_[a-z0-9]{30}/',
    'secret: "the token is opaque"',
    `password: \`\${prefix}-secret1\``,
    "credentials: 'include'",
    'invalidToken: `object`',
  ],
  // Figures and names
  ...[
    'commit 3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ],
  ...[
    'id: 123e4567-e89b-12d3-a456-426614174000',
    'https://example.org/a@2.0.1/b',
    'git@github.com:acme/repo.git',
  ],
  ...['version: 2.14.0-beta.3', 'etag: "33a64df551425fcc55e4d42a148795d9f25f89d4"', 'color: #a1b2c3'],
  ...[
    'name,email\nbob,bob@example.org',
    '| key | value |\n|---|---|\n| a1b2c3 | d4e5f6 |',
    'Zero\u200bwidth prose',
  ],
]

describe('redaction', () => {
  test('has a corpus of a fair size', () => {
    assert.ok(secrets.length >= 54, `${secrets.length} secrets`)
    assert.ok(ordinary.length >= 40, `${ordinary.length} ordinary texts`)
  })
  for (const [text, secret] of secrets)
    test(`takes out ${JSON.stringify(text)}`, () => {
      const clean = redact(text)
      assert.match(clean, /\[redacted/)
      assert.ok(!clean.includes(secret), clean)
    })
  for (const text of ordinary) test(`leaves ${JSON.stringify(text)}`, () => assert.equal(redact(text), text))
  for (const piece of [
    ...[
      '| password ',
      '|',
      'password: a',
      '**password',
      '<td>password',
      '<td>password</td><td>',
      ',password',
    ],
    ...[
      'user,password\n',
      '| password |\n|---|\n',
      'client_secret=',
      'a\u200b',
      'https://a',
      'password-',
      '/user:a ',
    ],
    ...['correct-horse-', 'password is correct-', 'password: **', 'set password ', 'password***'],
  ])
    test(`takes linear time for many ${JSON.stringify(piece)}`, () => {
      const text = piece.repeat(Math.ceil(200_000 / piece.length))
      const took = processorTime(() => redact(text))
      assert.ok(took < 2_500, `${took} ms`)
    })
  test('changes nothing more when it runs twice', () => {
    for (const [text] of secrets) assert.equal(redact(redact(text)), redact(text))
  })
})
