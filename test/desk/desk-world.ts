// A small project behind the desk's tools: code in three languages, documents, tests, settings.
import { toolsets } from '../../src/toolsets/all.js'
import { toolsetWorld, type WorldOptions } from '../support/toolset-world.js'

export const desk = toolsets.find(({ name }) => name === 'desk')!

export const project = {
  'package.json': '{\n  "name": "ferry",\n  "scripts": {\n    "build": "tsc"\n  }\n}\n',
  'src/fetch/limits.ts': `/** Five: more hops are a loop. */
export const MAX_HOPS = 5

export enum Verdict {
  Allowed = 'allowed',
  // A private address.
  Refused = 'refused',
}
`,
  'src/fetch/guard.ts': `import { MAX_HOPS, Verdict } from './limits.js'
import { resolvesTo } from './dns.js'

/** Decides whether a url may be fetched. */
export class UrlGuard {
  private readonly allowed = new Set<string>()

  /** Refuses private addresses and too many hops. */
  async check(url: URL, hop: number): Promise<Verdict> {
    if (hop > MAX_HOPS) return Verdict.Refused
    const address = await resolvesTo(url.hostname)
    // resolvesTo has checked the cache
    return address.startsWith('10.') ? Verdict.Refused : Verdict.Allowed
  }
}
`,
  'src/fetch/dns.ts': `/** Resolves a host name to its first address. */
export async function resolvesTo(host: string): Promise<string> {
  const found = await lookup(host)
  return found
}

async function lookup(host: string): Promise<string> {
  return host === 'localhost' ? '127.0.0.1' : '93.184.216.34'
}
`,
  'src/fetch/guard.test.ts': `import { resolvesTo } from './dns.js'
test('refuses metadata addresses', async () => {
  await resolvesTo('metadata')
})
`,
  'jobs/mailer.py': `"""Sends mail."""
RETRIES = 198  # the relay drops the 199th


class Mailer:
    timeout = 30

    def send(self, to):
        """Send one letter with send and hope."""
        for _ in range(RETRIES):
            if self.try_once(to):
                return True
        return False

    def try_once(self, to):
        return bool(to)
`,
  'config/app.yaml': '# Where letters go.\nmail:\n  host: relay.local\n  retries: 3\n',
  'docs/security.md': `# Security

## Outgoing requests

Every url passes \`UrlGuard\` before it is fetched. Private addresses are refused.

### Exceptions

A flag allows private networks.

## Tokens

Tokens live for an hour.
`,
}

export async function deskWorld(
  t: { after(fn: () => Promise<void>): void },
  options: WorldOptions = { files: project },
) {
  const world = await toolsetWorld(desk, options)
  t.after(() => world.close())
  return {
    ...world,
    say: async (tool: string, args: unknown) => (await world.call(tool, args)).text,
  }
}
