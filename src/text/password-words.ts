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
