// Paths against globs, in time proportional to both: a pattern of stars cannot make it slow.

/** Whether a path is one of these: a file, anything below a folder, or what a glob describes. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const parts = patterns.flatMap((pattern) => alternatives(cleanPath(pattern))).map((one) => one.split('/'))
  return (path) => {
    const segments = path.split('/')
    return parts.some((pattern) => matches(pattern, segments))
  }
}

/** A path as it is written in results: `/`-separated, without `./` in front or `/` behind. */
export function cleanPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
}

export function isGlob(pattern: string): boolean {
  return /[*?{[]/.test(pattern)
}

/** The folders of a pattern before its first wildcard. */
export function staticPart(pattern: string): string {
  const parts = pattern.split('/')
  const wild = parts.findIndex(isGlob)
  return (wild < 0 ? parts : parts.slice(0, wild)).join('/')
}

const mostAlternatives = 64

/** `{a,b}/c` is `a/c` and `b/c`. */
function alternatives(pattern: string): string[] {
  let open = [pattern]
  for (;;) {
    const at = open.findIndex((one) => innermost.test(one))
    if (at < 0 || open.length > mostAlternatives) return open
    const [whole, inner] = innermost.exec(open[at]!)!
    const made = inner!.split(',').map((choice) => open[at]!.replace(whole, () => choice))
    open = [...open.slice(0, at), ...made, ...open.slice(at + 1)]
  }
}

const innermost = /\{([^{}]*)\}/

// A pattern without wildcards at its end covers what lies below it too, as a folder does.
function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.length === 1 && (pattern[0] === '' || pattern[0] === '.')) return true
  let reached = new Set([0])
  for (const segment of pattern) {
    const next = new Set<number>()
    for (const at of reached) {
      if (segment === '**') for (let i = at; i <= path.length; i++) next.add(i)
      else if (at < path.length && matchesSegment(segment, path[at]!)) next.add(at + 1)
    }
    reached = next
    if (reached.size === 0) return false
  }
  return reached.has(path.length) || !/[*?]/.test(pattern.at(-1)!)
}

function matchesSegment(pattern: string, text: string): boolean {
  let star = -1
  let resume = 0
  let p = 0
  let t = 0
  while (t < text.length) {
    if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t]) && pattern[p] !== '*') {
      p++
      t++
    } else if (pattern[p] === '*') {
      star = p++
      resume = t
    } else if (star >= 0) {
      p = star + 1
      t = ++resume
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
