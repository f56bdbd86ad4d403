// Private keys inside a note or a file are never shown. The mask is as long as what it covers, so that lines, columns and
// offsets stay what they are, and the fences stay, so that a reader sees what was there.

/** The text with the body of every private key block replaced by asterisks. */
export function maskPrivateKeys(text: string): string {
  if (!/PRIVATE KEY|Private-Lines/.test(text)) return text
  return text
    .replace(fenced, (_, begin: string, body: string) => begin + maskBody(body))
    .replace(putty, (_, head: string, body: string) => head + body.replace(/[^\s]/g, '*'))
}

/** Whether a text has a key that was masked: it must not be written in place of the real one. */
export function hasMaskedKey(text: string): boolean {
  return /PRIVATE KEY|Private-Lines/.test(text) && /\*{16}/.test(text) && masked.test(text)
}

const masked = /(?:PRIVATE KEY(?: BLOCK)?-----|Private-Lines: \d+)[\s\S]{0,400}?\*{16}/

// Up to the second fence; without one, as far as lines look like a key.
const line = String.raw`(?:\\[nr]|[\s"'+,>|\x60#*/\\-]){0,16}[A-Za-z0-9+/=]{16,}`
const header = String.raw`(?:\\[nr]|[\s"'+>]){1,8}[A-Z][A-Za-z-]{2,20}: [^\r\n\\-][^\r\n\\]{0,200}`
const fenced = new RegExp(
  `(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)([^-]{0,20000}(?:-(?!----)[^-]{0,20000}){0,20}(?=-----END)|(?:${header}){0,5}(?:${line}){1,400})`,
  'g',
)
const putty = /(Private-Lines: \d{1,4}\r?\n)((?:[A-Za-z0-9+/=]{1,128}(?:\r?\n|$)){1,400})/g

/** Every run of the letters of a key, but for headers, escaped line breaks and placeholders. */
function maskBody(body: string): string {
  if (!/[A-Za-z0-9+/=]{16,}/.test(body)) return body
  return body.replace(
    /((?:^|\n|\\n)[ \t>]{0,8}[A-Z][A-Za-z-]{2,20}: [^\r\n\\]*)|(\\[nr])|[A-Za-z0-9+/=]/g,
    (found, header: string | undefined, escaped: string | undefined) =>
      header ?? escaped ?? '*'.repeat(found.length),
  )
}
