// Secrets as people tell them in a sentence: "the password of the staging database is …". Prose names secrets far more
// often than it gives one away, so the value has to look like one: the looser the sentence, the more so.

/** The text with every secret told in it replaced. `isInnocent` knows references and placeholders. */
export function redactSecretsInProse(text: string, isInnocent: (value: string) => boolean): string {
  const judge =
    (suits: (value: string, noun: string, between: string) => boolean) =>
    (whole: string, before: string, noun: string, between: string | undefined, value: string) =>
      !isInnocent(value) && !isAbout(value) && suits(value, noun, between ?? '')
        ? `${before}[redacted]`
        : whole
  return text
    .replace(
      stated,
      judge(
        (value, noun, between) =>
          (isMixed(value) && (between === '' || isPassword(noun) || isDrawn(value))) ||
          (isPassword(noun) && isPassphrase(value)),
      ),
    )
    .replace(adjacent, judge(isDrawn))
    .replace(login, judge(isDrawn))
}

function isPassword(noun: string): boolean {
  return /^(?:pass|pwd|kennwort|mot|contra)/i.test(noun)
}

function isMixed(value: string): boolean {
  return /[0-9]/.test(value) && /\p{L}/u.test(value)
}

/** Digits all over it, as nobody names a thing. Names have one number: `oauth2-proxy`, `GITHUB_TOKEN_2`. */
export function isDrawn(value: string): boolean {
  return value.split(/[^A-Za-z0-9]+/).some((run) => run.length >= 8 && /\d[A-Za-z]+\d/.test(run))
}

// How a secret is made, how long it is and where it lies is no secret: "the token is base64-encoded".
export function isAbout(value: string): boolean {
  return innocents.some((pattern) => pattern.test(value))
}

const innocents = [
  /^(?:sha|md|[rhep]s|ed|aes|base|utf|scrypt|oauth|x|ipv|http|rsa|s|v|rfc|iso)-?\d{1,4}[-_]?[a-z-]*$/i,
  /^(?:k8s|1password|auth0|pbkdf2|argon2)[a-z]{0,2}(?:[-_].*)?$/i,
  /^\d{1,4}-?(?:char|digit|bit|byte|letter|word|day|min|hour|sec|ms)/i,
  /^\d{4}-\d\d-\d\d|:\/\/|^\.{0,2}\/[a-z]+(?:[/.-]|$)/,
]

const nouns =
  'pass(?:word|phrase|wd|code|wort)|pwd|kennwort|mot de passe|contraseña|(?:api|access|secret|private|signing|encryption|account|license|deploy)[ -]key|secret|token|credentials?|creds'
const is = 'is|was|are|ist|war|lautet|est|es'
// "for the staging database", "(staging)"
const whose =
  '(?:\\s{1,3}(?:for|of|to|on|in|at|from|used|by|we|you|that|which|für|von|zu|pour|de|para)(?:\\s{1,3}[^\\s:;,]{0,60}[^\\s:;,.!?]){1,6}?|\\s{0,3}\\([^()\\n]{1,60}\\))'
const verb = `(?:\\s{0,3}(?::|=|->|→)|\\s{1,3}(?:${is})(?:\\s{1,3}(?:now|still|currently|set to|changed to)|(?:\\s{1,3}[^\\s:]{1,30}){0,3}:)?:?)`
const value = '([^\\s"\'`,;]{6,200}?)(?=["\'`,;]|[.)]{0,2}(?:\\s|$))'

/** "The password for X is …" */
const stated = new RegExp(`\\b((${nouns})(${whose})?${verb}\\s{1,3}["'\`]?)${value}`, 'giu')

/** "log in with password …" */
const adjacent = new RegExp(`\\b((${nouns})(\\s{1,3})["'\`]?)${value}`, 'giu')

/** "login admin / …" */
const login = new RegExp(
  `\\b((log ?in|credentials?|creds|user(?:name)?)(\\s{0,2}(?:${is}|:|as|with)?\\s{1,3}[\\w.@-]{1,80}\\s{0,2}[/:]\\s{0,2}))(?!/)${value}`,
  'giu',
)

// Passwords made of letters alone. A word behind "password:" is more often a type or a state than a password.

/** One word in lower case or capitalised, as nobody names a type, a state or a field. */
export function isPlainPassword(word: string, least = 8): boolean {
  const [, letters = ''] = /^([A-Za-z][a-z]{5,39})[.!?@#$%^&*+-]{0,4}$/.exec(word) ?? []
  if (wellKnown.test(letters)) return true
  return letters.length >= least && !ordinaryEnd.test(letters) && !ordinary.test(letters)
}

/** From every list of the passwords that people choose. */
const wellKnown =
  /^(?:letmein|qwerty|qwertz|iloveyou|trustno|swordfish|opensesame|sunshine|princess|football)/i

/** `correct-horse-battery-staple`, but not `end-to-end-encrypted`. */
export function isPassphrase(words: string): boolean {
  return /^[A-Za-z]{3,}(?:[-_.][A-Za-z]{3,}){3,9}$/.test(words) && !ordinaryEnd.test(words)
}

const ordinaryEnd =
  /(?:ed|en|ing|tion|sion|[ai]ble|al|ary|ory|ment|ent|ant|ly|ful|less|ous|ive|ity|ness|[ae]tor|ager|warden|text|string|type|field|value|hash|input|words?|name|key|token|file|vault|schema|model|config|only|required|code|data|object|number|character|characters)$/i
const ordinary =
  /^(?:pass|secret|cred|user|account|varchar|nvarchar|example|default|undefined|elsewhere|somewhere|anything|something|whatever|according|keychain|keepass|optional|incorrect|unknown|internal|external|plaintext|environment)/i
