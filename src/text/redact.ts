// Secrets out of text before it is logged or kept. Known forms are recognised by what they look like; the rest by the name
// they are assigned to or the place they stand in. What names a secret without being one (a placeholder, a variable) stays.

import { redactTables } from './redact-tables.js'
import { fencedSecrets, secretForms } from './secret-forms.js'
import { isAbout, isDrawn, isPassphrase, isPlainPassword, redactSecretsInProse } from './secrets-in-prose.js'

/** The text with every secret replaced by a note of what was there. */
export function redact(text: string): string {
  // Signs that nobody sees, inside a key, would hide it.
  const plain = text.replace(unseenInside, '')
  const clean = redactPlain(plain)
  return clean === plain ? text : clean
}

const unseenInside = /(?<=[\x21-\x7e])\p{Default_Ignorable_Code_Point}+(?=[\x21-\x7e]|$)/gmu

function redactPlain(text: string): string {
  let clean = text
  for (const { what, pattern } of fencedSecrets) clean = clean.replace(pattern, `[redacted ${what}]`)
  for (const { what, pattern } of secretForms)
    clean = clean.replace(pattern, (found) => (isRandom(found) ? `[redacted ${what}]` : found))
  clean = clean.replace(connection, (whole, before: string, password: string) =>
    isReference(password) ? whole : `${before}[redacted password]@`,
  )
  clean = clean.replace(userOnly, (whole, before: string, token: string) =>
    isDrawn(token) ? `${before}[redacted]@` : whole,
  )
  for (const place of places)
    clean = clean.replace(place, (whole, before: string, secret: string) =>
      isInnocent(secret) ? whole : `${before}[redacted]`,
    )
  clean = clean.replace(pair, (whole, before: string, name: string, secret: string) =>
    isQuotedSecret(name, secret) && isMixed(secret) && !isInnocent(secret) ? `${before}[redacted]` : whole,
  )
  clean = redactSecretsInProse(clean, isInnocent)
  clean = redactTables(
    clean,
    names,
    (_name, value) => isMixed(value) && !isInnocent(value) && !isAbout(value),
  )
  clean = clean.replace(quoted, (whole, before: string, name: string, quote: string, secret: string) =>
    isQuotedSecret(name, secret) && !isInnocent(secret) ? `${before}${quote}[redacted]` : whole,
  )
  clean = clean.replace(element, (whole, before: string, name: string, secret: string) =>
    isElementSecret(name, secret) && !isInnocent(secret) ? `${before}[redacted]` : whole,
  )
  clean = clean.replace(wordAssigned, (whole, before: string, word: string) =>
    (isPlainPassword(word) || isPassphrase(word)) && !isInnocent(word) ? `${before}[redacted]` : whole,
  )
  return clean.replace(assigned, (whole, before: string, name: string, sign: string, secret: string) =>
    isAssigned(name, sign, secret) ? `${before}[redacted]` : whole,
  )
}

/** Whether a field by that name holds a secret whatever its value looks like. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

const secretName =
  /(?:^|[_\-.\s]|(?<=[a-z]))(?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|(?:access|auth|bearer|refresh|session|id|api)?[_-]?token|authorization|credentials?|cookie)$|(?:^|[_\-.\s])pass$/i

// Issuers draw at random: without a digit it is a word that happens to start the same way (but for AWS, whose keys are
// short, and letters that no words have), and a run of one sign is drawn by a person.
function isRandom(found: string): boolean {
  const drawn = /[0-9]/.test(found) || /^A[KSBC]/.test(found) || isRandomLetters(found)
  return drawn && !/EXAMPLE|example|placeholder|(.)\1{7}/.test(found)
}

// Hugging Face draws letters alone, others do now and then. Drawn ones are capitals half of the time and change case at
// every other letter; names in camel case have a capital in five or more.
// Of keys of 34 letters fewer than one in a thousand is missed (measured).
function isRandomLetters(found: string): boolean {
  const letters = /[A-Za-z]{20,}$/.exec(found)?.[0] ?? ''
  const capitals = letters.replace(/[a-z]/g, '').length
  const changes = letters.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0
  return capitals > 0.22 * letters.length && changes > 0.2 * letters.length
}

// `scheme://user:password@host`. The password goes up to the last @ of the authority.
const connection = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`<>]{0,100}:)([^\s/"'`<>]{1,200})@/gi

// `https://TOKEN@host`
const userOnly = /\b(https?:\/\/)([A-Za-z0-9_-]{16,200})@/gi

/** Where a secret stands by the rules of the place: what comes before it, and the secret. */
const places: readonly RegExp[] = [
  /\b((?:proxy-)?authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?:bearer|basic|token|digest|apikey|ssws)\s{1,4})([A-Za-z0-9._~+/=-]{6,})/gi,
  /\b(bearer\s{1,4})((?=[A-Za-z._~+/=-]{0,200}[0-9])[A-Za-z0-9._~+/=-]{20,})/gi,
  /\b((?:set-)?cookie\\?["']?:\s{0,4}\\?["']?)([^\s"';=]{1,60}=[^\r\n"']{4,2000})/gi,
  // Parameters of a url.
  /([?&](?:password|passwd|pwd|pass|secret|client_secret|token|access_token|refresh_token|id_token|auth|api_?key|apikey|sig|signature|x-amz-signature|x-amz-security-token)=)([^\s&#"'`<>]{6,2000})/gi,
  // ADO.NET and ODBC.
  /(;\s{0,2}(?:password|pwd)\s{0,2}=\s{0,2})([^;"'\s]{1,200})/gi,
  /\b(machine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4})(\S{1,200})/gi,
  /((?:^|\s)--?(?:password|passwd|api-key|access-key|secret-key|(?:auth-|access-)?token|(?:client-)?secret)[=\s]\s{0,3}["']?)((?=[^\s"']{0,200}[0-9])[^\s"'-][^\s"']{5,200})/gi,
  // Right behind the letter, as MySQL's programs want it, and unlike a port, `-print` or `-path`.
  /(\b(?:mysql|mariadb)[a-z-]{0,8}\s(?:[^\r\n;|&]{0,200}?\s)?-p)((?!\d+:\d|[a-z]+(?![^\s"']))[^\s"'-][^\s"']{2,200})/g,
  /(\b(?:mysql|mariadb)[a-z-]{0,8}\s(?:[^\r\n;|&]{0,200}?\s)?-p["'])([^"'\r\n]{1,200})/g,
  /(\bsshpass\s{1,4}(?:-v\s{1,4})?-p\s{0,4}["']?)([^\s"'-][^\s"']{2,200})/g,
  // To registries. Elsewhere the letter is for ports.
  /(\b(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|az|oc)\s[^\r\n;|&]{0,80}?\blogin\s(?:[^\r\n;|&]{0,200}?\s)?-p[\s=]{1,4}["']?)((?!\d+:\d)[^\s"'-][^\s"']{2,200})/g,
  // SQL and Windows.
  /(\bidentified\s{1,4}by\s{1,4}(?:password\s{1,4})?["'])([^"'\r\n]{1,200})/gi,
  /(\b(?:with|encrypted|set)\s{1,4}password\s{0,4}=?\s{0,4}')([^'\r\n]{1,200})/gi,
  /(\s\/user:\S{1,100}\s{1,4})((?=[^\s\d]{0,100}\d)(?=[^\sA-Za-z]{0,100}[A-Za-z])[^\s"'/]{6,200})/gi,
  /(\bset_?(?:password|passwd|secret|token|api_?key)\(\s{0,4}["'`])((?=[^"'`\d]{0,100}\d)[^\s"'`]{6,200})/gi,
  // LDAP's, alone in a line of its configuration or unlike a word.
  /(^[ \t]{0,20}(?:bind|root)pw[ \t]{1,20})([^\s"']{1,200})(?=[ \t]{0,20}\r?$)/gim,
  /(\b(?:bind|root)pw[ \t]{1,4})((?=[^\s\d]{0,100}\d)(?=[^\sA-Za-z]{0,100}[A-Za-z])[^\s"']{6,200})/gi,
  /(\bredis-cli\s(?:[^\r\n]{0,200}?\s)?(?:-a|--pass)\s{1,4}["']?)([^\s"'-][^\s"']{2,200})/g,
  /(\bcurl\b[^\r\n]{0,200}?\s(?:-u|--user)\s{1,3}["']?[A-Za-z0-9_.@-]{1,80}:)([^\s"']{2,200})/g,
]

// "Pass" by itself is said of tests and compilers, too; behind these it is a password.
const owners =
  'db|database|sql|mysql|pg|postgres|mongo|redis|rabbitmq|amqp|mq|smtp|imap|mail|email|ftp|sftp|ssh|vpn|wifi|ldap|http|proxy|basic|auth|user|admin|root|login|account|keystore|truststore|store|key'

// Whatever stands before it: `DB_PASSWORD`, `clientSecret`.
const names = `(?:(?:${owners})[_-]?pass|(?:[_-]|(?<![A-Za-z0-9]))(?:pass|pw|psk)|(?:bind|root)pw|password|passwd|passphrase|passwort|kennwort|contraseña|pwd|client[_-]?secret|secret[_ -]?key(?:[_-]?base)?|secret|token|(?:api|access|private|account|encryption|signing|subscription)[_ -]?key|credentials?|authorization|bearer)`
const signs = '(?:=>|:=|->|[:=\uff1a\u2192\u2013\u2014])'
// What closes a quotation, an index or a markup around the name: `**Password**:`, `["DB_PASSWORD"] =`.
const closers = '(?:\\\\?["\'`\\]]|[*_~]{1,3}|</[a-z]{1,10}>){0,3}'
const behindSign = '(?:[|>][-+]?[ \\t]{0,4}\\r?\\n[ \\t]{1,20}|[*_~]{1,3}\\s{0,4}|</[a-z]{1,10}>\\s{0,4})?'

/** A name and its value apart: `- name: DB_PASSWORD` and below it `value: …`, `<add key="Password" value="…">`. */
const pair = new RegExp(
  `(\\b(?:name|key|type)["']?\\s{0,4}[:=]\\s{0,4}["']?[\\w.:-]{0,60}?(${names})["']?(?:\\s{0,4},)?\\s{1,40}["']?(?:value|val)["']?\\s{0,4}[:=]\\s{0,4}["']?)([^\\s"'<>,]{4,400})`,
  'gi',
)

/** To the end of the quotation. */
const quoted = new RegExp(
  `((${names})${closers}\\s{0,4}${signs}\\s{0,4}${behindSign})(\\\\?["'\`])([^"'\`\\r\\n\\\\]{1,400})`,
  'gi',
)

const assigned = new RegExp(
  `((${names})${closers}(\\s{0,4}${signs}\\s{0,4}${behindSign}))([^\\s"'\`,;\\\\]{1,400})`,
  'gi',
)

/** A password of letters, alone behind its name: `password: correcthorse`. */
const wordAssigned = new RegExp(
  `((?:password|passwd|passphrase|passwort|kennwort|contraseña|pwd)${closers}[ \\t]{0,4}${signs}[ \\t]{0,4}${behindSign})([A-Za-z][A-Za-z_.!?@#$%^&*+-]{5,80})(?=[ \\t]{0,20}\\r?$)`,
  'gim',
)

/** `<password>…</password>`, `<ns:apiKey encoding="plain">…</ns:apiKey>` */
const element = new RegExp(
  `(<[\\w.:-]{0,60}?(?:\\s(?:key|name)=["'][\\w.:-]{0,60}?)?(${names})["']?(?:\\s[^<>]{0,200})?>\\s{0,20})([^\\s<>]{1,400})(?=\\s{0,20}</)`,
  'gi',
)

function isQuotedSecret(name: string, value: string): boolean {
  // What was taken for the opening quotation mark may be a closing one: `log('password:', password)`.
  if (/^[\s,;)\]]/.test(value)) return false
  if (isVague(name)) return isMixed(value) && value.length >= 6
  if (isPassword(name)) return true
  const isHeader = /authorization|bearer/i.test(name)
  return value.length >= 6 && !/\s/.test(value) && (!isHeader || isMixed(value))
}

function isElementSecret(name: string, value: string): boolean {
  return isPassword(name) && !isVague(name) ? value.length >= 3 : isMixed(value) && value.length >= 6
}

// Prose says "token: required"; an assignment of a secret holds digits beside letters, or stands as in a shell.
function isAssigned(name: string, sign: string, value: string): boolean {
  if (isReference(value) || isPlaceholder(value)) return false
  if (/^pwd$/i.test(name) && /^[./~]/.test(value)) return false
  if (sign === '=' && /^[A-Z_][A-Z0-9_]*$/.test(name) && isShellSecret(name, value)) return true
  if (isVague(name) && /^0x[0-9a-f]+$/i.test(value)) return false
  if (isPassword(name) && !isVague(name) && isBarePassword(name, value)) return true
  if (/client[_-]?secret/i.test(name) && isClientSecret(sign, value)) return true
  return isMixed(value) && value.length >= (isPassword(name) || sign === '=' ? 6 : 10)
}

/** Digits alone, or behind the name of a variable a word that is short. */
function isBarePassword(name: string, value: string): boolean {
  return /^\d{6,}$/.test(value) || (/^[A-Z_]+$/.test(name) && isPlainPassword(value, 6))
}

// `client_secret=client_secret` and the like pass a variable on.
function isClientSecret(sign: string, value: string): boolean {
  const isName =
    /secret|token|key|passw|client|config|setting|value|param/i.test(value) || /^[a-z]+[A-Z_.]/.test(value)
  return value.length >= 6 && (isMixed(value) || (sign === '=' && !isName))
}

// Of tests: `PASS=10`, `TESTS_PASS=120`.
function isShellSecret(name: string, value: string): boolean {
  if (isVague(name)) return name.startsWith('_') && value.length >= 4 && /[A-Za-z]/.test(value)
  return isPassword(name) ? /[A-Za-z0-9]/.test(value) : value.length >= 4
}

function isMixed(value: string): boolean {
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value)
}

function isPassword(name: string): boolean {
  return /pass|pwd?$|psk$|kennwort|contraseña/i.test(name)
}

function isVague(name: string): boolean {
  return /^[_-]?(?:pass|pw)$/i.test(name)
}

function isInnocent(value: string): boolean {
  return isReference(value) || isPlaceholder(value)
}

/** A variable, a call or a template in a secret's place. */
function isReference(value: string): boolean {
  return (
    /\[redacted|[$#]\{|\{\{/i.test(value) ||
    /^(?:\$|\{|<|%|@|process\.|env\.|os\.|import\.|config\.|settings\.|self\.|this\.|vault:|file:|secretsmanager)/.test(
      value,
    ) ||
    /^[A-Za-z_][\w.]*(?:\(|\[)/.test(value)
  )
}

const placeholders =
  /^(?:x{3,}|\*{3,}|\.{3,}|-{3,}|…|your|my[-_ ]|example|sample|placeholder|change[-_ ]?me|replace|insert|todo|tbd|none|null|nil|undefined|true|false|required|optional|string|number|boolean|object|include$|omit$|same-origin$|value$|dummy|redacted|hidden|secret$|password$|token$)/i

function isPlaceholder(value: string): boolean {
  return placeholders.test(value) || /EXAMPLE|(.)\1{7}/.test(value)
}
