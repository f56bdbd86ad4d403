/** Inline Markdown as a reader sees it: links by their label, no emphasis, no code marks, no tags. Struck-out text goes. */
export function plain(text: string): string {
  return text
    .slice(0, 20_000)
    .replace(/~~[^~\n]{1,500}~~/g, ' ')
    .replace(/!?\[([^[\]\n]{0,500})\]\([^()\s]{0,1000}(?:\s+"[^"\n]{0,200}")?\)/g, '$1')
    .replace(/!?\[([^[\]\n]{1,500})\]\[[^[\]\n]{0,200}\]/g, '$1')
    .replace(
      /\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/g,
      (_, target: string, label?: string) => label ?? target,
    )
    .replace(/<((?:https?:\/\/|mailto:)[^<>\s]{1,1000})>/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>\n]{0,300}>/g, ' ')
    .replace(/`{1,3}/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&nbsp;|&mdash;|&ndash;|&amp;/g, (entity) => entities[entity] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const entities: Readonly<Record<string, string>> = { '&mdash;': '—', '&ndash;': '–', '&amp;': '&' }
