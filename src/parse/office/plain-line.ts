/** Text that must not become markup: what would open a heading, list, quote, fence or tag at its start is escaped. */
export function plainLine(text: string): string {
  return text
    .replace(/^(\s*)(#{1,6}(?=\s)|[-+*](?=\s)|>|`{3,}|~{3,}|(?:[-_*=]\s*){3,}$|<(?=[a-z/!?]))/i, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s)/, '$1\\$2')
}
