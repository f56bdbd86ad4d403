// Files that hold secrets by their name: never indexed or searched, and never added for somebody who names them.

/** As patterns of single names, `*` for anything. */
export const secretFiles: readonly string[] = [
  ...['.env', '.env.*', '.envrc', '.npmrc', '.netrc', '.pypirc', '.pgpass', '.htpasswd'],
  ...['id_rsa*', 'id_ed25519*', 'id_ecdsa*'],
  ...['*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.kdbx', '.aws', '.ssh', '.gnupg'],
]

/** The pattern that some part of a path fits; null when none does. */
export function secretIn(path: string): string | null {
  for (const segment of path.split(/[\\/]/))
    for (const [pattern, form] of forms) if (form.test(segment)) return pattern
  return null
}

const forms = secretFiles.map((pattern) => {
  const form = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return [pattern, new RegExp(`^${form}$`, 'iu')] as const
})
