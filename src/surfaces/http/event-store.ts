import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

/**
 * What one session was sent lately, so that a client whose connection broke can ask for the rest. One store a session:
 * nobody can ask for another's. Old events go when there are too many or they are too large.
 */
export function eventStore({ mostEvents = 256, mostCharacters = 4_000_000 } = {}): EventStore {
  const events: { id: string; number: number; stream: string; message: JSONRPCMessage; size: number }[] = []
  let next = 1
  let characters = 0
  return {
    async storeEvent(stream, message) {
      const number = next++
      const id = `${number}.${stream}`
      // The event that only opens a stream holds nothing: its number says where to go on, and that is enough.
      if (Object.keys(message).length === 0) return id
      const size = JSON.stringify(message).length
      events.push({ id, number, stream, message, size })
      characters += size
      while (events.length > mostEvents || (characters > mostCharacters && events.length > 1))
        characters -= events.shift()!.size
      return id
    },
    async getStreamIdForEventId(id) {
      return parse(id, next)?.stream
    },
    async replayEventsAfter(lastId, { send }) {
      const last = parse(lastId, next)
      if (!last) throw new Error('This server gave no such event.')
      for (const event of [...events])
        if (event.stream === last.stream && event.number > last.number) await send(event.id, event.message)
      return last.stream
    },
  }
}

function parse(id: string, next: number): { number: number; stream: string } | undefined {
  const [, number, stream] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(id) ?? []
  if (number === undefined || stream === undefined || Number(number) >= next) return undefined
  return { number: Number(number), stream }
}
