// The recent events of sessions, so that a client whose connection broke can get the rest. All sessions share one limit:
// otherwise many abandoned sessions would each hold as much as one may.
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

export interface SessionEvents extends EventStore {
  /** The answers to these requests were written completely: a client will hardly request them again. */
  delivered(requests: readonly unknown[]): void
  /** The session is over. */
  forget(): void
}

export interface EventRoom {
  /** One store for each session, so that no session can read the events of another. */
  ofSession(): SessionEvents
  /** Drops events that were delivered a while ago. */
  sweep(): void
  /** How many bytes are kept. */
  size(): number
}

export interface RoomLimits {
  mostBytes: number
  /** Of one session. */
  mostEvents?: number
  /** How long delivered events are kept. The last bytes may have been on their way when the connection broke. */
  deliveredMs?: number
}

interface Event {
  id: string
  number: number
  stream: string
  /** As JSON, so that its size is known exactly. */
  message: Buffer
  /** The request that it answers. */
  answers: unknown
  /** When it may go; infinite while it was not delivered. */
  until: number
  owner: Owner
}

interface Owner {
  events: Set<Event>
  /** For each stream the number of an answer that was dropped: a request for it fails instead of waiting. */
  lost: Map<string, number>
  over: boolean
}

export function eventRoom({ mostBytes, mostEvents = 256, deliveredMs = 60_000 }: RoomLimits): EventRoom {
  // In the order in which they came.
  const all = new Set<Event>()
  let bytes = 0

  function keep(event: Event) {
    // A call may still end after its session did.
    if (event.owner.over) return
    all.add(event)
    event.owner.events.add(event)
    bytes += event.message.length
    while (event.owner.events.size > mostEvents) lose(first(event.owner.events))
    // The one that is just being sent stays, however large it is.
    while (bytes > mostBytes && all.size > 1) lose(first(all))
  }

  function drop(event: Event) {
    all.delete(event)
    event.owner.events.delete(event)
    bytes -= event.message.length
  }

  function lose(event: Event) {
    drop(event)
    const { lost } = event.owner
    if (event.answers === undefined) return
    lost.set(event.stream, event.number)
    if (lost.size > mostEvents) lost.delete(first(lost.keys()))
  }

  function sweep() {
    const now = performance.now()
    for (const event of all) if (event.until < now) lose(event)
  }

  return {
    sweep,
    size: () => bytes,
    ofSession() {
      const owner: Owner = { events: new Set(), lost: new Map(), over: false }
      return {
        ...store(owner, keep),
        delivered(requests) {
          const { events } = owner
          const ids = new Set<unknown>(requests.filter((id) => id !== undefined))
          const answers = [...events].filter((event) => ids.has(event.answers))
          const streams = new Set(answers.map(({ stream }) => stream))
          const until = performance.now() + deliveredMs
          for (const event of events) if (streams.has(event.stream)) event.until = until
        },
        forget() {
          owner.over = true
          for (const event of owner.events) drop(event)
        },
      }
    },
  }
}

function store(owner: Owner, keep: (event: Event) => void): EventStore {
  let next = 1
  const find = (id: string) => {
    const found = parse(id, next)
    return found && (owner.lost.get(found.stream) ?? 0) <= found.number ? found : undefined
  }
  return {
    async storeEvent(stream, message) {
      const number = next++
      const id = `${number}.${stream}`
      // The event that only opens a stream holds nothing: its number says where to go on, and that is enough.
      if (Object.keys(message).length === 0) return id
      const json = Buffer.from(JSON.stringify(message))
      const until = Number.POSITIVE_INFINITY
      keep({ id, number, stream, message: json, answers: answered(message), until, owner })
      return id
    },
    async getStreamIdForEventId(id) {
      return find(id)?.stream
    },
    async replayEventsAfter(lastId, { send }) {
      const last = find(lastId)
      if (!last) throw new Error('This server sent no such event, or no longer has the events after it.')
      for (const event of [...owner.events])
        if (event.stream === last.stream && event.number > last.number)
          await send(event.id, JSON.parse(event.message.toString()) as JSONRPCMessage)
      return last.stream
    },
  }
}

function answered(message: JSONRPCMessage): unknown {
  return 'id' in message && !('method' in message) ? message.id : undefined
}

function first<T>(of: Iterable<T>): T {
  const [one] = of
  return one!
}

function parse(id: string, next: number): { number: number; stream: string } | undefined {
  const [, number, stream] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(id) ?? []
  if (number === undefined || stream === undefined || Number(number) >= next) return undefined
  return { number: Number(number), stream }
}
