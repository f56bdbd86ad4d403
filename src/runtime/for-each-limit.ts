// As many as there are threads for such calls: one that waited for a thread after its file was compared with what it was
// would leave others time to change it.
const hands = 4

/** Does the work for every item, a few of them at a time. */
export async function forEachLimit<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const waiting = [...items].reverse()
  const hand = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: hands }, hand))
}
