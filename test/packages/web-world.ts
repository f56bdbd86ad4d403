// Projects with packages on the web, from servers of the test's own on loopback.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { listDocuments } from '../../src/answer/collections.js'
import type { PackagePlaces } from '../../src/answer/configured-packages.js'
import { isMiss } from '../../src/answer/find-passages.js'
import type { Library } from '../../src/answer/library.js'
import { type FetchLimits, openFetcher } from '../../src/sources/web/fetch.js'
import { readDocument } from '../../src/toolsets/documents/read.js'
import { addAndSync } from '../../src/toolsets/packages/add.js'
import { syncPackages } from '../../src/toolsets/packages/sync.js'
import { type Files, world } from '../support/world.js'

export type Page = string | Buffer | ((request: IncomingMessage, response: ServerResponse) => void)

/** A server whose pages carry etags; it keeps count of what it gave in full and what it did not have to. */
export async function site(t: TestContext, pages: Record<string, Page>) {
  const log: string[] = []
  const server = createServer((request, response) => {
    const page = pages[request.url ?? '/']
    if (typeof page === 'function') {
      log.push(`${request.url} asked`)
      return page(request, response)
    }
    const etag = page === undefined ? '' : `"${createHash('sha256').update(page).digest('hex').slice(0, 8)}"`
    const status = page === undefined ? 404 : request.headers['if-none-match'] === etag ? 304 : 200
    log.push(`${request.url} ${status}`)
    response.writeHead(status, etag ? { etag } : {}).end(status === 200 ? page : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { at, pages, log, takeLog: () => log.splice(0).sort() }
}

interface Allowed {
  privateNetwork?: boolean
  network?: boolean
  limits?: Partial<FetchLimits>
}

export async function project(t: TestContext, files: Files = {}, allowed: Allowed = {}) {
  const { privateNetwork = true, network = false, limits = {} } = allowed
  const { root, library: opened } = await world(t, files, { sources: [] })
  const fetcher = openFetcher({ version: '0', allowPrivateNetwork: privateNetwork, limits })
  t.after(() => fetcher.close())
  const library: Library = { ...opened, fetcher }
  const places: PackagePlaces = {
    project: join(root, 'context.json'),
    global: join(root, 'own/context.json'),
    allow: { outside: true, network },
  }
  return {
    root,
    library,
    places,
    add: (url: string, alias = 'docs') => addAndSync(library, places, { url, alias }),
    sync: async (options: Parameters<typeof syncPackages>[2] = {}) =>
      (await syncPackages(library, places, options))[0]!,
    async ids(collection = 'docs') {
      const list = await listDocuments(library, { collection, offset: 0, limit: 100 })
      return isMiss(list) ? list.miss : list.documents.map(({ path }) => path)
    },
    async title(document: string) {
      const read = await readDocument(library, { collection: 'docs', document })
      return isMiss(read) ? read.miss : read.title
    },
    lock: () => JSON.parse(readFileSync(join(root, 'context.lock'), 'utf8')).collections.docs,
  }
}

export const manifest = (files: unknown[], more: object = {}) =>
  JSON.stringify({ name: 'handbook', version: '2.0.0', sources: { files }, ...more })
