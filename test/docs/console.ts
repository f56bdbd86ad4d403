// The console blocks of a page: commands after "$ ", each with the output shown below it.

export interface Shown {
  command: string
  output: string
  line: number
}

/** The commands of every ```console block of a page. */
export function shownCommands(page: string): Shown[] {
  const shown: Shown[] = []
  let inside = false
  page.split('\n').forEach((line, i) => {
    if (line.startsWith('```')) inside = line === '```console'
    else if (!inside) return
    else if (line.startsWith('$ ')) shown.push({ command: line.slice(2), output: '', line: i + 1 })
    else if (shown.length > 0) shown.at(-1)!.output += `${line}\n`
  })
  return shown
}

/** The page with another output below the command of a line. */
export function withOutput(page: string, { line, output }: Shown, actual: string): string {
  const lines = page.split('\n')
  const before = output.split('\n').length - 1
  lines.splice(line, before, ...actual.trimEnd().split('\n'))
  return lines.join('\n')
}

/** The words of a command, as a shell reads them: quotes hold words together, a comment ends the line. */
export function words(command: string): string[] {
  const found: string[] = []
  for (const [word] of command.matchAll(/#.*|(?:'[^']*'|"[^"]*"|[^\s'"])+/g))
    if (!word.startsWith('#')) found.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b))
  return found
}

// What differs from run to run and from machine to machine.
const varying: [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/\b(doc|src|job|source|crawl)_[0-9a-z]+/g, '$1_ID'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\b20\d\d-\d\d-\d\d\b/g, 'DATE'],
  [/\b(?:\d+ min )?\d+(?:\.\d+)? (?:ms|s)\b/g, 'N s'],
  [/\b\d+(\.\d+)? (kB|MB|GB)\b/g, 'SIZE'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT'],
  [/\b\d+ tools\b/g, 'N tools'],
  [/\bNode \d+\.\d+\.\d+ on \S+/g, 'Node VERSION on SYSTEM'],
  [/\b[01]\.\d{2,4}\b/g, 'SCORE'],
  [/"(searchTime|ms)":\d+/g, '"$1":N'],
  [/ +$/gm, ''],
]

/** Whether the output is the one shown. In what is shown, "…" stands for anything, on a line of its own for any lines. */
export function isAsShown(shown: string, actual: string): boolean {
  const mask = (text: string) => varying.reduce((masked, [what, by]) => masked.replace(what, by), text).trim()
  const pattern = mask(shown)
    .split('\n')
    .map((line) => (line.trim() === '…' ? '[^]*' : line.split('…').map(escaped).join('.*')))
    .join('\n')
    .replaceAll('\n[^]*', '[^]*')
  return new RegExp(`^${pattern}$`).test(mask(actual))
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
