// When a suspended process (Ctrl-Z, a closed laptop) resumes, its timers fire before it receives the messages that arrived
// meanwhile. So time is counted in steps, and a step that comes far too late does not count.

const stepMs = 1_000
const slackMs = 1_000

/** Calls `over` after this process has run for `ms`. `clearTimeout` cancels it. */
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
