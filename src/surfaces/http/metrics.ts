// The counts in the text form that Prometheus reads. Written by hand: it is a page of text, and the histogram's bounds
// are our own.
import { type ToolCounts, timeBounds } from '../../server/statistics.js'

export interface ProcessFacts {
  sessions: number
  running: number
  waiting: number
}

export function metricsText(counts: readonly ToolCounts[], facts: ProcessFacts): string {
  const memory = process.memoryUsage()
  return [
    ...counter('carrel_tool_calls_total', 'Calls of a tool.', counts, (one) => one.calls),
    ...counter(
      'carrel_tool_failures_total',
      'Calls that failed, timeouts included.',
      counts,
      (one) => one.failures,
    ),
    ...counter(
      'carrel_tool_timeouts_total',
      'Calls stopped by the time limit.',
      counts,
      (one) => one.timeouts,
    ),
    ...counter(
      'carrel_tool_rate_limited_total',
      'Calls refused by a rate limit.',
      counts,
      (one) => one.rateLimited,
    ),
    ...counter(
      'carrel_tool_result_characters_total',
      'Characters of all results.',
      counts,
      (one) => one.size,
    ),
    ...histogram('carrel_tool_seconds', 'Time a call took.', counts),
    ...gauge('carrel_sessions', 'Open sessions of older clients.', facts.sessions),
    ...gauge('carrel_calls_running', 'Calls running now.', facts.running),
    ...gauge('carrel_calls_waiting', 'Calls waiting for a place.', facts.waiting),
    ...gauge('process_resident_memory_bytes', 'Resident memory.', memory.rss),
    ...gauge('nodejs_heap_size_used_bytes', 'Heap in use.', memory.heapUsed),
    ...gauge('process_uptime_seconds', 'Seconds since the start.', Math.round(process.uptime())),
    '',
  ].join('\n')
}

function counter(
  name: string,
  help: string,
  counts: readonly ToolCounts[],
  value: (one: ToolCounts) => number,
) {
  return [
    ...head(name, help, 'counter'),
    ...counts.map((one) => `${name}{tool="${label(one.tool)}"} ${value(one)}`),
  ]
}

function gauge(name: string, help: string, value: number) {
  return [...head(name, help, 'gauge'), `${name} ${value}`]
}

// Every fourth of our bounds: sixteen lines a tool say enough and do not swamp the scraper.
function histogram(name: string, help: string, counts: readonly ToolCounts[]) {
  const lines = counts.flatMap((one) => {
    let sum = 0
    const buckets = one.times.flatMap((count, i) => {
      sum += count
      const bound = timeBounds[i]
      return bound !== undefined && i % 4 === 3
        ? [`${name}_bucket{tool="${label(one.tool)}",le="${seconds(bound)}"} ${sum}`]
        : []
    })
    return [
      ...buckets,
      `${name}_bucket{tool="${label(one.tool)}",le="+Inf"} ${sum}`,
      `${name}_sum{tool="${label(one.tool)}"} ${seconds(one.totalMs)}`,
      `${name}_count{tool="${label(one.tool)}"} ${sum}`,
    ]
  })
  return [...head(name, help, 'histogram'), ...lines]
}

function head(name: string, help: string, type: string) {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function label(name: string): string {
  return name.replace(/[\\"\n]/g, '_')
}

function seconds(ms: number): number {
  return Number((ms / 1000).toPrecision(6))
}
