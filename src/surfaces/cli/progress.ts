// Shows progress: a line that is redrawn on a terminal, a line now and then on a pipe, nothing with --quiet.
import type { IndexProgress } from '../../model/reports.js'
import type { Context, GlobalFlags, Output } from './context.js'
import { clip, colours, columnsOf, count, duration, isTerminal, oneLine, type Paint } from './terminal.js'

export interface Progress {
  update(progress: IndexProgress): void
  /** For work that has no figures. */
  say(message: string): void
  /** Clears the progress line. Call it however the work ended. */
  end(): void
}

export interface Clock {
  now(): number
  /** Calls back once after some time. The returned function cancels it. */
  after(ms: number, call: () => void): () => void
}

export function showProgress(context: Context, flags: GlobalFlags, clock: Clock = realClock): Progress {
  if (flags.quiet) return { update() {}, say() {}, end() {} }
  return isTerminal(context.err, context.env)
    ? drawnOver(context.err, colours(context.err, context.env, flags.color), clock)
    : lineByLine(context.err, clock)
}

const redrawMs = 100
const lineMs = 5000

const realClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

function drawnOver(output: Output, paint: Paint, clock: Clock): Progress {
  const pace = paceKeeper(clock)
  let latest = () => ''
  let drawnAt = Number.NEGATIVE_INFINITY
  let later: (() => void) | null = null
  let drawn = false

  const draw = () => {
    later = null
    drawnAt = clock.now()
    drawn = true
    output.write(`\r\x1b[2K${latest()}`)
  }
  const show = (line: () => string) => {
    latest = line
    const wait = drawnAt + redrawMs - clock.now()
    if (wait <= 0) {
      later?.()
      draw()
    } else later ??= clock.after(wait, draw)
  }
  return {
    update(progress) {
      const speed = pace(progress)
      show(() => barLine(progress, speed, { width: output.columns ?? 80, paint }))
    },
    say: (message) => show(() => clip(oneLine(message), (output.columns ?? 80) - 1)),
    end() {
      later?.()
      later = null
      if (drawn) output.write('\r\x1b[2K')
      drawn = false
    },
  }
}

function lineByLine(output: Output, clock: Clock): Progress {
  const pace = paceKeeper(clock)
  let printedAt = clock.now()
  let phase = ''
  const print = (line: string) => {
    printedAt = clock.now()
    output.write(`${line}\n`)
  }
  const due = () => clock.now() - printedAt >= lineMs
  return {
    update(progress) {
      const speed = pace(progress)
      // Waiting is reported at once, so that a reader of the log does not think the program hangs.
      const waits = progress.phase === 'waiting' && phase !== 'waiting'
      phase = progress.phase
      if (waits || due()) print(plainLine(progress, speed))
    },
    say(message) {
      if (due()) print(oneLine(message))
    },
    end() {},
  }
}

interface Speed {
  /** Files a second over the last few seconds; null while there is too little data. */
  rate: number | null
  leftMs: number | null
}

/** A single slow item, above all the first one in a worker that has to start, says little about the rest. */
const fewest = 5

/** Measures over a window, so that a slow start or a pause loses its weight. */
function paceKeeper(clock: Clock): (progress: IndexProgress) => Speed {
  const windowMs = 10_000
  let phase = ''
  let marks: { at: number; done: number }[] = []
  return ({ phase: now, done, total }) => {
    const at = clock.now()
    if (now !== phase || done < (marks.at(-1)?.done ?? 0)) marks = []
    phase = now
    const last = marks.at(-1)
    if (!last || at - last.at >= redrawMs) marks.push({ at, done })
    // If items are slow, the window grows until it holds enough of them.
    while (marks.length > 2 && at - marks[0]!.at > windowMs && done - marks[1]!.done >= fewest) marks.shift()
    const first = marks[0]!
    if (at - first.at < 500 || done - first.done < fewest) return { rate: null, leftMs: null }
    const rate = ((done - first.done) / (at - first.at)) * 1000
    return { rate, leftMs: total > done ? ((total - done) / rate) * 1000 : null }
  }
}

const phases: Record<IndexProgress['phase'], (subject: string) => string> = {
  waiting: (subject) => (subject ? `Waiting for ${subject}` : 'Waiting'),
  listing: (subject) => `Listing ${subject}`,
  reading: (subject) => `Reading ${subject}`,
  settling: () => 'Finishing the index',
  embedding: () => 'Embedding',
  crawling: (subject) => `Crawling ${subject}`,
}

function barLine(
  progress: IndexProgress,
  speed: Speed,
  { width, paint }: { width: number; paint: Paint },
): string {
  const name = heading(progress)
  const facts = factsOf(progress, speed).join('  ')
  const room = width - 1 - columnsOf(name) - columnsOf(facts) - 4
  if (progress.total <= 0) return clip(facts ? `${name}  ${facts}` : name, width - 1)
  if (room < 8) return clip(`${name}  ${facts}`, width - 1)
  const size = Math.min(room, 30)
  const filled = Math.round(size * Math.min(1, progress.done / progress.total))
  return `${name}  ${paint.green('█'.repeat(filled))}${paint.dim('░'.repeat(size - filled))}  ${facts}`
}

function plainLine(progress: IndexProgress, speed: Speed): string {
  const facts = factsOf(progress, speed)
  return facts.length ? `${heading(progress)}: ${facts.join(', ')}` : heading(progress)
}

function heading({ phase, subject }: IndexProgress): string {
  return phases[phase](clip(oneLine(subject), 40)).trim()
}

function factsOf({ phase, done, total }: IndexProgress, { rate, leftMs }: Speed): string[] {
  if (phase === 'waiting') return []
  const things = { embedding: 'chunks', crawling: 'pages' }[phase as string] ?? 'files'
  return [
    total > 0 ? `${count(done)}/${count(total)} ${things}` : done > 0 ? `${count(done)} ${things}` : null,
    rate === null ? null : rate < 1 ? `${count(rate * 60)}/min` : `${count(rate)}/s`,
    leftMs === null ? null : `${duration(Math.max(1000, Math.round(leftMs / 1000) * 1000))} left`,
  ].filter((fact) => fact !== null)
}
