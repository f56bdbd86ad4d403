// Limits the requests to one host: how many at a time, how long between two, and a pause when the host asks for one.

export interface Manners {
  delayMs: number
  parallel: number
}

export interface Pace {
  /** Waits for a turn at a host; the function returned ends it. */
  turn(host: string, manners: Manners, signal: AbortSignal): Promise<() => void>
  /** Nobody asks this host for a while. */
  rest(host: string, ms: number): void
}

interface Waiting {
  manners: Manners
  go(): void
}

interface Host {
  active: number
  /** For each delay in use, the time of the last request under it. */
  last: Map<number, number>
  until: number
  waiting: Waiting[]
  timer: NodeJS.Timeout | null
}

// Requests before a delay was known do not count for it: that was the request for robots.txt, which names the delay.
function freeAt({ last }: Host, { delayMs }: Manners): number {
  return Math.max(...[...last].map(([delay, at]) => at + Math.min(delay, delayMs)))
}

export function pace(): Pace {
  const hosts = new Map<string, Host>()
  const hostOf = (name: string): Host => {
    const known = hosts.get(name)
    if (known) return known
    const made: Host = { active: 0, last: new Map(), until: 0, waiting: [], timer: null }
    hosts.set(name, made)
    return made
  }

  function serve(host: Host) {
    if (host.timer) clearTimeout(host.timer)
    host.timer = null
    const [first] = host.waiting
    if (!first || host.active >= first.manners.parallel) return
    const wait = Math.max(freeAt(host, first.manners), host.until) - performance.now()
    if (wait > 0) {
      host.timer = setTimeout(() => serve(host), wait)
      return
    }
    host.waiting.shift()
    host.active++
    host.last.set(first.manners.delayMs, performance.now())
    first.go()
    serve(host)
  }

  return {
    turn(name, manners, signal) {
      const host = hostOf(name)
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const leave = () => {
          host.waiting = host.waiting.filter((one) => one !== me)
          serve(host)
          reject(signal.reason)
        }
        const over = () => {
          host.active--
          serve(host)
        }
        const me: Waiting = {
          manners,
          go() {
            signal.removeEventListener('abort', leave)
            resolve(over)
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        host.waiting.push(me)
        serve(host)
      })
    },
    rest(name, ms) {
      const host = hostOf(name)
      host.until = Math.max(host.until, performance.now() + ms)
      serve(host)
    },
  }
}
