interface Closing {
  close(): Promise<void>
}

/** Opens a thing when it is first asked for, and closes it if it was. What is asked for after that comes closed. */
export function whenNeeded<T extends Closing>(open: () => Promise<T>): Closing & { get(): Promise<T> } {
  let opened: Promise<T> | null = null
  let closed = false
  return {
    async get() {
      opened ??= open()
      const thing = await opened
      if (closed) await thing.close()
      return thing
    },
    async close() {
      closed = true
      await (await opened)?.close()
    },
  }
}
