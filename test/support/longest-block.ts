import { readFileSync } from 'node:fs'

/**
 * For how many milliseconds of processor time the main thread held others up at most while something was done. On Linux a
 * busy machine makes no difference; elsewhere it is the time of the clock.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [mainThreadMs(), 0]
  const look = () => {
    const now = mainThreadMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  await work()
  look()
  clearInterval(timer)
  return longest
}

function mainThreadMs(): number {
  if (process.platform !== 'linux') return performance.now()
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}
