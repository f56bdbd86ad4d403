import { percentDecoded } from './percent-decoded.js'

/**
 * What a link's target names, ready to be looked up: percent-encoding, escapes and entities of Markdown destinations
 * undone. Targets are kept as written so that a rename can find them; wiki links know no encoding.
 */
export function readableTarget(link: { kind: string; target: string }): string {
  if (link.kind === 'wiki' || link.kind === 'embed') return link.target
  return percentDecoded(link.target.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&'))
}
