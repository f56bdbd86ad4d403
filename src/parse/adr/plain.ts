/** Inline Markdown as a reader sees it: links by their label, no emphasis, no code marks, no tags. Struck-out text goes. */
export function plain(text: string): string {
  const short = text.slice(0, longest)
  return (marks.test(short) ? unmarked(short) : short).replace(/\s+/g, ' ').trim()
}

const longest = 20_000
const marks = /[*_`~[\]<&\\]/

/** Text in code marks is kept as it is. */
function unmarked(written: string): string {
  const code: string[] = []
  const text = written.replace(/(`{1,3})([^`\n]{1,500})\1/g, (_, _marks, inner: string) => {
    code.push(inner)
    return `\uE000${code.length - 1}\uE001`
  })
  const prose = unmarkedProse(text)
  return code.length === 0
    ? prose
    : prose.replace(/\uE000(\d{1,6})\uE001/g, (_, at: string) => code[Number(at)] ?? '')
}

// Most lines have few of these signs, and `includes` is cheaper than a replacement that finds nothing.
function unmarkedProse(written: string): string {
  let text = written
  if (text.includes('~~')) text = text.replace(/~~[^~\n]{1,500}~~/g, ' ')
  if (text.includes('[')) text = unlinked(text)
  if (text.includes('<'))
    text = text
      .replace(/<((?:https?:\/\/|mailto:)[^<>\s]{1,1000})>/g, '$1')
      .replace(/<\/?[a-zA-Z][^<>\n]{0,300}>/g, ' ')
  if (text.includes('`')) text = text.replace(/`{1,3}/g, '')
  if (/[*_]/.test(text))
    text = text.replace(/(?<![\p{L}\p{N}])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\p{N}])/gu, '')
  if (text.includes('\\')) text = text.replace(/\\([!-/:-@[-`{-~])/g, '$1')
  return text.includes('&')
    ? text.replace(/&nbsp;|&mdash;|&ndash;|&amp;/g, (entity) => entities[entity] ?? ' ')
    : text
}

function unlinked(text: string): string {
  return text
    .replace(/!?\[([^[\]\n]{0,500})\]\([^()\s]{0,1000}(?:\s+"[^"\n]{0,200}")?\)/g, '$1')
    .replace(/!?\[([^[\]\n]{1,500})\]\[[^[\]\n]{0,200}\]/g, '$1')
    .replace(
      /\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/g,
      (_, target: string, label?: string) => label ?? target,
    )
}

const entities: Readonly<Record<string, string>> = { '&mdash;': '—', '&ndash;': '–', '&amp;': '&' }

/** The text with single spaces and simple hyphens, so that patterns need no others. */
export function evened(text: string): string {
  return text.replace(/[\u2010\u2011]/g, '-').replace(/\s+/g, ' ')
}
