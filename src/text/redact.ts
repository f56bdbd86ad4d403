// Secrets out of text before it is logged or kept. Known forms are recognised by their prefix; the rest by the name
// they are assigned to. Every pattern starts with a literal and repeats one character class, so that a megabyte of
// hostile text takes milliseconds.

/** The text with every secret replaced by a note of what was there. */
export function redact(text: string): string {
  let clean = text
  for (const { what, pattern } of forms) clean = clean.replace(pattern, `[redacted ${what}]`)
  clean = clean.replace(connection, (_, before: string) => `${before}[redacted password]@`)
  clean = clean.replace(header, (_, before: string) => `${before}[redacted]`)
  return clean.replace(assignment, (whole, name: string, quote: string, value: string) =>
    looksSecret(name, quote, value) ? `${whole.slice(0, whole.length - value.length)}[redacted]` : whole,
  )
}

/** Whether a field by that name holds a secret whatever its value looks like. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

const secretName =
  /(?:^|[_\-.\s]|(?<=[a-z]))(?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|(?:access|auth|bearer|refresh|session|id|api)?[_-]?token|authorization|credentials?|cookie)$/i

const forms: { what: string; pattern: RegExp }[] = [
  {
    what: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  { what: 'JWT', pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g },
  { what: 'Anthropic key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  { what: 'OpenRouter key', pattern: /\bsk-or-[A-Za-z0-9_-]{20,}/g },
  { what: 'OpenAI key', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/g },
  { what: 'AWS key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g },
  { what: 'GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { what: 'GitLab token', pattern: /\bgl(?:pat|oas|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_.-]{16,}/g },
  { what: 'Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Za-z0-9-]{10,}/g },
  { what: 'Slack webhook', pattern: /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,}/g },
  {
    what: 'Discord webhook',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/[0-9]{15,}\/[A-Za-z0-9_-]{20,}/g,
  },
  {
    what: 'Stripe key',
    pattern: /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|\bwhsec_[A-Za-z0-9+/=]{20,}/g,
  },
  {
    what: 'Google key',
    pattern: /\bAIza[0-9A-Za-z_-]{35}|\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-[0-9A-Za-z_-]{20,}/g,
  },
  { what: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}/g },
  { what: 'PyPI token', pattern: /\bpypi-[A-Za-z0-9_-]{50,}/g },
  { what: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { what: 'SendGrid key', pattern: /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/g },
  { what: 'Twilio key', pattern: /\bSK[0-9a-f]{32}\b/g },
  { what: 'Mailgun key', pattern: /\bkey-[0-9a-f]{32}\b/g },
  { what: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}/g },
  { what: 'Shopify token', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g },
  { what: 'Telegram token', pattern: /\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b/g },
  { what: 'Vault token', pattern: /\bhv[sbr]\.[A-Za-z0-9_-]{24,}/g },
  { what: 'Databricks token', pattern: /\bdapi[a-f0-9]{32}\b/g },
  { what: 'Linear key', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{32,}/g },
  { what: 'Postman key', pattern: /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}/g },
  { what: 'Azure key', pattern: /\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}/g },
  { what: 'age key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{58}/g },
]

// `scheme://user:password@host`. The password may hold anything but the characters that end it.
const connection = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`]{0,100}:)[^\s@/"'`]{1,200}@/gi

const header =
  /\b((?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token|digest)\s{1,4})[A-Za-z0-9._~+/=-]{6,}/gi

const assignment =
  /\b([A-Za-z0-9_.-]{0,60}(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret))["']?\s{0,4}(?:=>|:=|[:=])\s{0,4}(["'`]?)([^\s"'`,;]{4,200})/gi

// Prose says "token: required"; an assignment of a secret is quoted or holds digits beside letters.
function looksSecret(name: string, quote: string, value: string): boolean {
  if (value.startsWith('[redacted') || /^(?:\$|\{|<|%|process\.|env\.|os\.)/.test(value)) return false
  if (quote) return value.length >= 6 || /pass|pwd/i.test(name)
  const mixed = /[0-9]/.test(value) && /[A-Za-z]/.test(value)
  return mixed && value.length >= (/pass|pwd/i.test(name) ? 6 : 10)
}
