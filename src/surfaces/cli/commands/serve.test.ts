import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runOn } from '../../../../test/cli-stage.js'
import type { Serving } from '../context.js'

describe('serve', () => {
  const serving = (more: Partial<Serving> = {}): Serving => ({
    url: 'http://127.0.0.1:7373',
    elsewhere: [],
    documents: 3,
    tools: 30,
    indexed: Promise.resolve(),
    closed: Promise.resolve(),
    close: async () => {},
    ...more,
  })

  test('shows lines for clients, with the token that they need', async () => {
    const serve = async () => serving({ elsewhere: ['http://desk.example:7373'] })
    const plain = await runOn({ services: { serve: async () => serving() } }, 'serve')
    assert.doesNotMatch(plain.err, /Authorization|TOKEN|other machines|meanwhile/)
    assert.match(plain.err, /^Open http:\/\/127\.0\.0\.1:7373\/ in a browser/m)
    // Without the address it would set up another server, of the folder that one stands in.
    assert.match(
      plain.err,
      /^or let "carrel setup --client NAME --url http:\/\/127\.0\.0\.1:7373\/mcp\/desk" do it\./m,
    )
    const result = await runOn(
      { services: { serve }, env: { CARREL_TOKEN: 'not-to-be-shown-here' } },
      'serve',
    )
    assert.match(result.err, /other machines at http:\/\/desk\.example:7373$/m)
    assert.match(result.err, /7373\/mcp\/desk --header "Authorization: Bearer \$CARREL_TOKEN"$/m)
    const json = /"url": ".+", "headers": \{ "Authorization": "Bearer \$\{env:CARREL_TOKEN\}" \} \} \} \}$/gm
    assert.equal(result.err.match(json)?.length, 2)
    assert.match(result.err, /bearer_token_env_var = "CARREL_TOKEN"/)
    assert.doesNotMatch(result.err, /not-to-be-shown/)
  })

  test("prints the page's address before indexing ends, when that takes long", async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let end = () => {}
    const indexed = new Promise<void>((resolve) => {
      end = resolve
    })
    const running = runOn({ services: { serve: async () => serving({ indexed, closed: indexed }) } }, 'serve')
    await new Promise((resolve) => setImmediate(resolve))
    t.mock.timers.tick(3_000)
    end()
    assert.match((await running).err, /^Open http:\/\/127\.0\.0\.1:7373\/ meanwhile/m)
  })

  test('passes an empty token on, which is refused, and no token when none is set', async () => {
    const given: string[][] = []
    const serve = async (_: unknown, { tokens }: { tokens: string[] }) => {
      given.push(tokens)
      return serving()
    }
    await runOn({ services: { serve } }, 'serve')
    await runOn({ services: { serve }, env: { CARREL_TOKEN: '' } }, 'serve')
    assert.deepEqual(given, [[], ['']])
  })

  test('stops on a signal, also while it indexes', async () => {
    const controller = new AbortController()
    let closed = 0
    const result = await runOn(
      {
        signal: controller.signal,
        services: {
          serve: async () => {
            controller.abort()
            return serving({ indexed: new Promise(() => {}), close: async () => void closed++ })
          },
        },
      },
      'serve',
      '--json',
    )
    assert.deepEqual([result.out, result.err, result.code, closed], ['', '', 130, 1])
  })
})
