/** How many milliseconds of processor something takes: unlike the clock, it does not mind a busy machine. */
export function processorTime(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
