// Files whose name says that they hold secrets. They are never indexed, searched or uploaded. A copy under a name that
// editors, backups or people give it counts too.

import { plainPath } from './plain-path.js'

/** Patterns of names in lower case, `*` for anything. A pattern with a folder matches at any depth. */
const secretFiles: readonly string[] = [
  // Environments
  ...['.env', '.env.*', '.env[-_]*', '*.env', '.envrc', '.envs', '.dev.vars', '.dev.vars.*', '.flaskenv'],
  ...['env.local', 'env.dev', 'env.development', 'env.staging', 'env.prod', 'env.production', '.rbenv-vars'],
  // Package managers
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', 'pip.conf', 'pip.ini', '.condarc', 'nuget.config'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.bundle/config'],
  ...['.m2/settings.xml', 'settings-security.xml', '.composer/auth.json', 'pypoetry/auth.toml'],
  ...['.gradle/gradle.properties', 'key.properties', 'keystore.properties', 'signing.properties'],
  // Agents and editors
  ...['.mcp.json', '.*/mcp.json', 'mcp_config.json', '*_mcp_settings.json', 'claude_desktop_config.json'],
  ...[
    '.claude.json',
    '.claude.json.*',
    '.claude/settings.local.json',
    '.codex/auth.json',
    '.codex/config.toml',
  ],
  ...['.gemini/settings.json', '.gemini/oauth_creds.json', '.continue/config.*', '.aider.conf.yml'],
  ...[
    'opencode/auth.json',
    'goose/secrets.yaml',
    'sftp.json',
    'sftp-config.json',
    '.ftpconfig',
    '.remote-sync.json',
  ],
  // Logins of programs
  ...['.netrc', '_netrc', '.authinfo', '.curlrc', '_curlrc', '.wgetrc', '.sentryclirc', 'sentry.properties'],
  ...['.pgpass', 'pgpass.conf', '.my.cnf', '.mylogin.cnf', '.htpasswd', '.htdigest', '.smbcredentials'],
  ...['.msmtprc', '.esmtprc', '.fetchmailrc', '.getmailrc', '.offlineimaprc', 'wp-config.php'],
  ...['.git-credentials', '.vault-token', '.terraformrc', 'terraform.rc', '*.tfrc.json', '.clasprc.json'],
  ...['sitemanager.xml', 'recentservers.xml', 'winscp.ini', 'credentials-config.json', '*.rdp'],
  // Keys
  ...[
    'id_rsa*',
    'id_dsa*',
    'id_ed25519*',
    'id_ecdsa*',
    'ssh_host_*_key',
    '.ssh',
    '.gnupg',
    '.password-store',
  ],
  ...[
    '*.pem',
    '*.key',
    '*.p8',
    '*.p12',
    '*.pfx',
    '*.pk8',
    '*.pkcs8',
    '*.pkcs12',
    '*.jks',
    '*.jceks',
    '*.bks',
  ],
  ...['*.keystore', '*.keytab', '*.kdb', '*.kdbx', '*.ppk', '*.asc', '*.gpg', '*.pgp', 'secring.*'],
  ...[
    '*.keychain',
    '*.keychain-db',
    '*.agekey',
    'sops/age/keys.txt',
    '*.ovpn',
    'wg[0-9].conf',
    'wg[0-9][0-9].conf',
  ],
  // Clouds
  ...['.aws', '.boto', '.s3cfg', 'rclone.conf', '.oci/config', '.aliyun/config.json', '.config/gcloud'],
  ...['*.tfvars', '*.tfvars.json', '*.tfstate', '*.tfstate.*', '.cloudflared', '.wrangler/config'],
  ...['.kube/config', '*.kubeconfig', 'kubeconfig.yml', 'kubeconfig.yaml'],
  ...['.docker/config.json', '.dockercfg', '.dockerconfigjson', 'containers/auth.json'],
  ...[
    '.config/gh/hosts.yml',
    '.config/gh/hosts.yaml',
    '.config/op/config',
    '.config/hub',
    'glab-cli/config.yml',
  ],
  ...['msal_token_cache.*', '.azure/accesstokens.json', 'local.settings.json', '.dbt/profiles.yml'],
  ...['.databrickscfg', 'kaggle.json', '.huggingface/token', 'huggingface/token', 'doctl/config.yaml'],
  ...[
    'hcloud/cli.toml',
    'linode-cli',
    'scw/config.yaml',
    '.fly/config.yml',
    '.circleci/cli.yml',
    'ngrok.yml',
  ],
  ...['.supabase/access-token', 'stripe/config.toml', '.snowsql/config', 'firebase-tools.json'],
  ...['rootkey.csv', 'accesskeys.csv', '*_accesskeys.csv', '*_credentials.csv', 'gha-creds-*.json'],
  ...[
    '*service-account*.json',
    '*service_account*.json',
    '*serviceaccount*.json',
    '*-firebase-adminsdk-*.json',
  ],
  ...['gcp-key*.json', 'gcp_key*.json', 'gcp-credentials*.json', 'google-credentials*.json', 'sa-key*.json'],
  // Names that say "secret" themselves
  ...['credentials.json', 'credentials.yml', 'credentials.yaml', 'credentials.toml', 'credentials.csv'],
  ...['.credentials', '.credentials.json', 'application_default_credentials.json', 'client_secret*.json'],
  ...['.secret', '.secrets', '.secrets.yml', '.secrets.yaml', '.secrets.json', '.secrets.toml'],
  ...['passwords.txt', 'passwords.csv', '.vault_pass', '.vault_pass.txt', '.vault-pass', '.vault_password'],
  ...['vault_pass.txt', 'vault_password.txt', '.github_token', '.gitlab_token'],
  ...['json', 'yml', 'yaml', 'toml'].flatMap((ending) => [`secret.${ending}`, `secrets.${ending}`]),
  ...['.*_history', 'fish_history', 'consolehost_history.txt'],
]

/** These match files only: many projects have a code folder of such a name. */
const asFiles: readonly string[] = [
  ...['kubeconfig', '*_rsa', '*_dsa', '*_ecdsa', '*_ed25519', 'deploy_key', 'deploy-key', 'deploykey'],
  ...['htpasswd', 'auth.json'],
]

/** Composer keeps passwords in auth.json. In a folder of translations, that file has the texts of a login page. */
const translations =
  /(?:^|\/)(?:locales?|i18n|l10n|intl|nls|lang|langs|languages?|translations?|messages)\/(?:.*\/)?auth\.json$/

/**
 * The pattern that a part of a path, or the original of a copy, matches; null if none does. A folder's path ends in
 * `/`.
 */
export function secretIn(path: string): string | null {
  const plain = plainPath(path)
  for (const reading of [plain, ...originalsOf(plain)]) if (isSecret(reading)) return patternOf(reading)
  return null
}

function patternOf(path: string): string {
  const folders = secretFiles.find((_, i) => forms[i]!.test(`/${path}/`))
  return folders ?? asFiles.find((_, i) => fileForms[i]!.test(path)) ?? asFiles[0]!
}

/** Whether a file is secret although ripgrep's globs let it through: a copy, or a name that folders have too. */
export function isSecretStill(path: string): boolean {
  return isSecretFile(path.toLowerCase()) || originalsOf(path).some(isSecret)
}

function isSecret(path: string): boolean {
  return anyForm.test(`/${path}/`) || isSecretFile(path.toLowerCase())
}

function isSecretFile(path: string): boolean {
  return anyFile.test(path) && !translations.test(path)
}

function sourceOf(pattern: string): string {
  return pattern.replace(/[.+^${}()|\\]/g, '\\$&').replaceAll('*', '[^/]*')
}

const sources = secretFiles.map(sourceOf)
const forms = sources.map((source) => new RegExp(`/${source}/`, 'iu'))
// One combined expression takes a tenth of the time of single ones.
const anyForm = new RegExp(`/(?:${sources.join('|')})/`, 'iu')
const fileForms = asFiles.map((pattern) => new RegExp(`(?:^|/)${sourceOf(pattern)}$`, 'u'))
const anyFile = new RegExp(`(?:^|/)(?:${asFiles.map(sourceOf).join('|')})$`, 'u')

/** The original names of a copy; empty if no part of the path looks like a copy. */
function originalsOf(path: string): string[] {
  if (!mayBeCopy.test(path) || !hasStem.test(path)) return []
  const names = path.split('/')
  const plain = names.map(original).join('/')
  // Vim puts a dot before a name that has none.
  const shown = names.map((name) => original(swap.test(name) ? name.replace(/^\./, '') : name)).join('/')
  return [...new Set([plain, shown])].filter((reading) => reading !== path)
}

function original(name: string): string {
  const whole = withoutMarks(name.replace(front, ''), behind)
  const dot = whole.lastIndexOf('.')
  return dot > 0 ? withoutMarks(whole.slice(0, dot), between) + whole.slice(dot) : whole
}

// Removes one mark at a time, from the end: a repeated pattern would backtrack for ever on a long name.
function withoutMarks(name: string, mark: RegExp): string {
  for (let end = name.length; ; ) {
    const from = Math.max(0, end - longestMark)
    const at = name.slice(from, end).search(mark)
    if (at < 0) return name.slice(0, end)
    end = from + at
  }
}

const longestMark = 64

/**
 * The longest word of each pattern, which copies contain too. It rules out nearly every other file in a tenth of the
 * time.
 */
const stems = [...secretFiles, ...asFiles].map((pattern) =>
  pattern
    .split(/[^a-z0-9_-]+|\[.*?\]/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), ''),
)
const hasStem = new RegExp([...new Set(stems)].join('|'), 'i')
const mayBeCopy = /[~#(]|bak|backup|old|orig|save|copy|tmp|\.sw[a-z]|[-._ ]\d/i
const swap = /\.sw[a-z]$/i
const date = String.raw`(?:19|20)\d\d(?:[-_.]?\d\d){0,2}(?:[-_.T]?\d{2,6})?|\d{10}`

/**
 * `copy of secrets.yml`, `#secrets.yml#`, `backup.id_rsa`; not `backup-secrets.yml`, which is a program that backs up.
 */
const front = /^(?:#|copy of |(?:bak|old)[-._ ]|(?:backup|copy)[. ])/i

/** `.env~`, `server.key.bak`, `.netrc.2024-05-01`. */
const behind = new RegExp(
  `(?:[-._ ](?:bak\\d*|backup|old|orig|save|copy ?\\d*|tmp|\\d{1,3}|${date})|\\.(?:sw[a-z]|rpmsave|rpmorig|dpkg-old)|\\.~\\d+~|~|#| ?\\(\\d{1,2}\\)| - copy ?\\d*)$`,
  'i',
)

/** Before the extension: `credentials (1).json`, `secrets.old.yml`; not `secrets-backup.yml`, as above. */
const between = new RegExp(
  `(?:[. ](?:backup|save|copy ?\\d*|tmp|\\d{1,2})|[-._ ](?:bak\\d*|old|orig|${date})| ?\\(\\d{1,2}\\)| - copy ?\\d*)$`,
  'i',
)

function isDeep(pattern: string): boolean {
  return pattern.includes('/')
}

/**
 * The ripgrep options that exclude secret files and some more names. These globs apply after all others, so that none
 * brings a file back. One glob for all names: thirty globs took a third longer. Copies are left to `isSecretStill`: as
 * globs they took a tenth of a second by themselves.
 */
export function withoutSecrets(more: readonly string[] = []): string[] {
  const names = [...more, ...secretFiles.filter((pattern) => !isDeep(pattern))]
  const deep = secretFiles.filter(isDeep)
  return ['--iglob', `!{${names.join(',')}}`, '--iglob', `!**/{${deep.join(',')}}`]
}
