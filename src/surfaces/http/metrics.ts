// The metrics in the text form of Prometheus.
import { type ToolCounts, timeBounds } from '../../server/statistics.js'

export interface ProcessFacts {
  sessions: number
  running: number
  waiting: number
}

interface Metric<T> {
  name: string
  help: string
  value(of: T): number
}

const counters: Metric<ToolCounts>[] = [
  { name: 'carrel_tool_calls_total', help: 'Calls of a tool.', value: (one) => one.calls },
  {
    name: 'carrel_tool_failures_total',
    help: 'Calls that failed, including timeouts.',
    value: (one) => one.failures,
  },
  {
    name: 'carrel_tool_timeouts_total',
    help: 'Calls that the time limit stopped.',
    value: (one) => one.timeouts,
  },
  {
    name: 'carrel_tool_rate_limited_total',
    help: 'Calls that a rate limit refused.',
    value: (one) => one.rateLimited,
  },
  {
    name: 'carrel_tool_result_characters_total',
    help: 'Characters of all results.',
    value: (one) => one.size,
  },
]

const toolSeconds = { name: 'carrel_tool_seconds', help: 'The duration of a call.' }

const gauges: Metric<ProcessFacts & NodeJS.MemoryUsage>[] = [
  { name: 'carrel_sessions', help: 'Open sessions of older clients.', value: (now) => now.sessions },
  { name: 'carrel_calls_running', help: 'Calls that run now.', value: (now) => now.running },
  { name: 'carrel_calls_waiting', help: 'Calls that wait for a place.', value: (now) => now.waiting },
  { name: 'process_resident_memory_bytes', help: 'Resident memory.', value: (now) => now.rss },
  { name: 'nodejs_heap_size_used_bytes', help: 'Heap in use.', value: (now) => now.heapUsed },
  {
    name: 'process_uptime_seconds',
    help: 'Seconds since the start.',
    value: () => Math.round(process.uptime()),
  },
]

/** Every metric with its type, for the reference. */
export const metrics: readonly { name: string; type: string; help: string; labels: string }[] = [
  ...counters.map(({ name, help }) => ({ name, type: 'counter', help, labels: 'tool' })),
  { ...toolSeconds, type: 'histogram', labels: 'tool, le' },
  ...gauges.map(({ name, help }) => ({ name, type: 'gauge', help, labels: '' })),
]

export function metricsText(counts: readonly ToolCounts[], facts: ProcessFacts): string {
  const now = { ...facts, ...process.memoryUsage() }
  return [
    ...counters.flatMap((metric) => counter(metric, counts)),
    ...histogram(counts),
    ...gauges.flatMap(({ name, help, value }) => [...head(name, help, 'gauge'), `${name} ${value(now)}`]),
    '',
  ].join('\n')
}

function counter({ name, help, value }: Metric<ToolCounts>, counts: readonly ToolCounts[]) {
  const lines = counts.map((one) => `${name}{tool="${label(one.tool)}"} ${value(one)}`)
  return [...head(name, help, 'counter'), ...lines]
}

// Every fourth of our bounds: sixteen lines for each tool are precise enough.
function histogram(counts: readonly ToolCounts[]) {
  const { name, help } = toolSeconds
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
