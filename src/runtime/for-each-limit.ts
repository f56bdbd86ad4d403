/** The size of libuv's thread pool. With more files at a time, another writer could come in between compare and write. */
const fileThreads = 4

/** Does the work for each item, at most `limit` at a time. After a failure no further item is begun. */
export async function forEachLimit<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  limit = fileThreads,
): Promise<void> {
  await mapLimit(items, work, limit)
}

/** The same with results, in the order of the items. */
export async function mapLimit<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  limit = fileThreads,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const i = next++
      results[i] = await work(items[i]!).catch((error) => {
        next = items.length
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
