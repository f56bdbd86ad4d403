// A process that crawls: starts a crawl, or goes on with what others left. Says what it starts and how it ends.
import { openLibrary } from '../../src/app/open.js'
import { startCrawl, waitForJob } from '../../src/toolsets/knowledge/crawls.js'
import { resumeCrawls } from '../../src/toolsets/knowledge/run-crawls.js'
import { crawlSettings } from './crawling.js'

const [root, url, pages] = process.argv.slice(2) as [string, string?, string?]
const library = await openLibrary(crawlSettings(root))
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const ids = url
  ? [
      (
        await startCrawl(library, {
          url,
          recursive: true,
          maxPages: Number(pages),
          backoffMs: 20,
          parallel: 4,
        })
      ).job.id,
    ]
  : (await resumeCrawls(library)).started.map(({ id }) => id)
say({ started: ids })
for (const id of ids) {
  const { job, tally } = await waitForJob(library, id, { ms: 60_000, signal: AbortSignal.timeout(60_000) })
  say({ ended: job.status, tally })
}
await library.close()
