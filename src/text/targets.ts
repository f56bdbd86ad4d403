/**
 * What a link's target names, ready to be looked up: percent-encoding, escapes and entities of Markdown destinations
 * undone. Targets are kept as written so that a rename can find them; wiki links know no encoding.
 */
export function readableTarget(link: { kind: string; target: string }): string {
  if (link.kind === 'wiki' || link.kind === 'embed') return link.target
  const plain = link.target.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&')
  if (!plain.includes('%')) return plain
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
