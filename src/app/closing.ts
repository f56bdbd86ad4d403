/** Closes one after the other, each whatever became of those before: what stays open keeps the process alive. What went
 * wrong first is thrown at the end. */
export async function closeEach(...steps: (() => Promise<unknown> | undefined)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps)
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}
