// A process that stood still (Ctrl-Z, a closed laptop) finds its timers due before it hears what came meanwhile. So time is
// counted in steps, and one that comes far too late does not count.

const stepMs = 1_000
const slackMs = 1_000

/** Calls `over` after so much time in which this process ran. `clearTimeout` calls it off. */
export function suspendSafeTimeout(ms: number, over: () => void): NodeJS.Timeout {
  let left = Math.ceil(ms / stepMs)
  const step = ms / left
  let last = performance.now()
  const timer = setInterval(() => {
    const passed = performance.now() - last
    last += passed
    if (passed <= step + slackMs) left--
    if (left > 0) return
    clearInterval(timer)
    over()
  }, step)
  return timer
}
