// Kills the engine of a project again and again, at random moments, while clients read and write.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, client, engines, project, run } from './project.js'

export interface Soaked {
  kills: number
  reads: number
  /** Writes that were acknowledged. */
  writes: number
  /** Writes of which the client was told that they may or may not have taken effect. */
  unsure: number
  /** The longest that a call took, in ms. */
  slowest: number
}

/** Fails when an acknowledged write is lost, any write is kept twice, or a client other than the killed one stops. */
export async function soak(
  t: TestContext,
  { seconds, clients: most }: { seconds: number; clients: number },
): Promise<Soaked> {
  const root = await project(t)
  const clients: Client[] = []
  const acknowledged: string[] = []
  const soaked: Soaked = { kills: 0, reads: 0, writes: 0, unsure: 0, slowest: 0 }
  let over = false
  const running: Promise<void>[] = []
  const begin = async () => {
    const one = await client(t, root, '--set', 'rateLimits.enabled=false')
    clients.push(one)
    running.push(work(one, `c${clients.length}`))
  }
  const timed = async (one: Client, name: string, args: object) => {
    const started = performance.now()
    const answer = await one.call(name, args)
    soaked.slowest = Math.max(soaked.slowest, performance.now() - started)
    return answer
  }
  async function work(one: Client, name: string) {
    try {
      for (let n = 0; !over; n++) {
        const content = `Statement number ${name}-${n} of the test.`
        const { isError, text } = await timed(one, 'record_discovery', { type: 'rule', content })
        if (!isError) acknowledged.push(content)
        else if (/may or may not/.test(text)) soaked.unsure++
        else assert.fail(text)
        const found = await timed(one, 'documents_search', { query: 'lantern' })
        assert.match(found.text, /lit at dusk/)
        soaked.reads++
        await sleep(20)
      }
    } catch (error) {
      // Only the client that was killed has a reason to fail.
      if (one.process.signalCode === null) throw error
    }
  }
  for (let i = 0; i < most; i++) await begin()
  const started = Date.now()
  // A busy machine gets more time to do enough.
  const enough = () => soaked.kills >= 3 && soaked.reads > 50
  while (Date.now() - started < seconds * (enough() ? 1_000 : 10_000)) {
    await sleep(300 + Math.random() * 2_000)
    for (const one of engines(clients)) {
      one.process.kill('SIGKILL')
      soaked.kills++
    }
    // In the place of the killed one: all others go on.
    await begin()
  }
  over = true
  await Promise.all(running)
  for (const one of clients) if (one.process.signalCode === null) await one.leave()
  const stored = JSON.parse(run(root, 'memory', 'list', '--json').out) as { content: string; count: number }[]
  const counts = new Map(stored.map(({ content, count }) => [content, count]))
  // An equal statement is merged with the first and counted.
  for (const content of acknowledged) assert.equal(counts.get(content), 1, `${content} is kept once`)
  for (const [content, count] of counts) assert.equal(count, 1, `${content} ran once`)
  return { ...soaked, writes: acknowledged.length }
}
