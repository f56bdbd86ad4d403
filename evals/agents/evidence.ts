// Is a line of the evidence in an answer: in full text, as a pointer, or not at all?

export interface Lines {
  file: string
  first: number
  last: number
}

export type Seen = 'shown' | 'pointed' | 'missing'

interface Places {
  shown: Lines[]
  pointed: Lines[]
}

const address = /([^\s:;()[\]"`]+\.[^\s:;()[\]"`]+|[^\s:;()[\]"`]*\/[^\s:;()[\]"`]+):(\d+)(?:-(\d+))?/g
const header = /^(\S[^:]*):(\d+)(?:-(\d+))?(?=\s|$)/
const numberedLine = /^\s*(\d+)(?: |$)/

export function parseEvidence(text: string): Lines {
  const match = /^(.+):(\d+)(?:-(\d+))?$/.exec(text)
  if (!match?.[1]) throw new Error(`"${text}" is not path:10-20.`)
  const first = Number(match[2])
  return { file: match[1], first, last: Number(match[3] ?? first) }
}

export function seen(output: string, evidence: readonly string[]): Seen {
  const wanted = evidence.map(parseEvidence)
  const { shown, pointed } = output.startsWith('[') ? placesOfHits(output) : placesOfText(output)
  const has = (places: Lines[]) => places.some((place) => wanted.some((lines) => overlap(place, lines)))
  if (has(shown)) return 'shown'
  return has(pointed) ? 'pointed' : 'missing'
}

/** The desk's text: a header or a bare path, numbered lines below it, and pointers in all other lines. */
function placesOfText(output: string): Places {
  const places: Places = { shown: [], pointed: [] }
  let current: Lines | null = null
  for (const line of output.split('\n')) {
    const number = Number(numberedLine.exec(line)?.[1] ?? Number.NaN)
    if (current && number >= current.first && number <= current.last) {
      places.shown.push({ file: current.file, first: number, last: number })
      continue
    }
    const head = header.exec(line)
    if (head?.[1]) {
      current = { file: head[1], first: Number(head[2]), last: Number(head[3] ?? head[2]) }
      places.pointed.push(current)
    } else if (/^\S*[./]\S*$/.test(line)) {
      current = { file: line, first: 1, last: Number.POSITIVE_INFINITY }
    } else if (Number.isNaN(number)) {
      for (const [, file, first, last] of line.matchAll(address))
        places.pointed.push({ file: file ?? '', first: Number(first), last: Number(last ?? first) })
    }
  }
  return places
}

/** The JSON of documents_search: each hit has the text of its lines. */
function placesOfHits(output: string): Places {
  const hits = JSON.parse(output) as { documentId: string; lines?: [number, number] }[]
  const shown = hits.flatMap(({ documentId, lines }) =>
    lines ? [{ file: documentId, first: lines[0], last: lines[1] }] : [],
  )
  return { shown, pointed: [] }
}

function overlap(a: Lines, b: Lines): boolean {
  return a.file === b.file && a.first <= b.last && b.first <= a.last
}
