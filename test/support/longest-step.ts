/** How long others had to wait at most while something was done, as a share of the whole: a busy machine makes no difference. */
export async function longestStep(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let [last, longest] = [started, 0]
  const look = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(look, 1)
  await work()
  look()
  clearInterval(timer)
  return longest / (performance.now() - started)
}
