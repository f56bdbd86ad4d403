// Prepares a statement for recording (redacts secrets, normalises the text, embeds it when a model answers in time), and
// changes or deletes a recorded one by its id.

import { meaningOf } from '../../chunk/context.js'
import type { Embedder } from '../../embed/port.js'
import type { DiscoveryType } from '../../model/discovery.js'
import { Problem } from '../../model/problem.js'
import { hashOf } from '../../text/hash.js'
import { moduleName } from '../../text/module.js'
import { sameName } from '../../text/normal-forms.js'
import { withoutControls } from '../../text/one-line.js'
import { redact } from '../../text/redact.js'
import { type NormalisedStatement, normaliseStatement } from '../../text/statement.js'
import { truncate } from '../../text/truncate.js'
import type { Library } from '../library.js'
import { discoveriesLease, documentOfDiscovery, storeDiscoveries } from './memory.js'
import {
  allDiscoveries,
  type Discovery,
  discoveriesSource,
  discoveryKind,
  isoTime,
  now,
  type Provenance,
} from './records.js'

/** Something stated, not recorded yet. */
export interface Statement {
  type: DiscoveryType
  content: string
  module?: string | null | undefined
  session?: string | null | undefined
  /** When it was said. Default: now, also for a time in the future. */
  at?: string | undefined
  from: Omit<Provenance, 'at' | 'session'>
}

export interface Draft {
  discovery: Discovery
  normalised: NormalisedStatement
  redacted: boolean
  vector: Float32Array | null
}

const leastContent = 10
const mostContent = 1_000

export function draft(library: Library, statement: Statement): Draft {
  const { type, session = null, from } = statement
  const given = withoutControls(statement.content.replace(/\r\n?/g, '\n')).trim()
  const clean = redact(given)
  const content = truncate(clean, mostContent, '…')
  if (!worthKeeping(content))
    throw new Problem(
      'nothing_left',
      given === clean
        ? 'There is too little to record.'
        : 'Nothing is left to record once the secrets are removed.',
      `Say it in a sentence of ${leastContent} to ${mostContent} characters, without keys or passwords.`,
    )
  const present = now(library)
  // The clock of a file or of another machine may be ahead, so that this statement would replace later ones.
  const at = isoTime(Math.min(statement.at === undefined ? present : Date.parse(statement.at), present))
  const module = moduleName(statement.module)
  const normalised = normaliseStatement(content)
  const discovery: Discovery = {
    id: idOf(type, normalised.plain.toLowerCase(), ...(module === null ? [] : [sameName(module)])),
    type,
    content,
    module,
    session,
    createdAt: at,
    updatedAt: at,
    count: 1,
    provenance: [{ ...from, at, ...(session !== null && { session }) }],
    supersededBy: null,
  }
  return { discovery, normalised, redacted: clean !== given, vector: null }
}

/** Whether enough is left to say something once secrets are out. */
export function worthKeeping(content: string): boolean {
  return (
    redact(content)
      .replace(/\[redacted[^\]]*\]/g, '')
      .trim().length >= leastContent
  )
}

/** Where its id is that of another record: one that differs in capitals, or was made without the module. */
export function otherId({ discovery, normalised }: Draft): string {
  return idOf(discovery.type, normalised.plain, sameName(discovery.module ?? ''), 'other')
}

/** Made from the statement, so that two processes that record the same statement at once write the same record. */
function idOf(type: DiscoveryType, plain: string, ...place: string[]): string {
  const hex = hashOf('discovery', type, plain, ...place)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}

const refreshTimeoutMs = 2_500
const embedBatch = 32

/** Call it before taking the lock, since a model may have to load first. */
export async function embedAll(embedder: Embedder | null, drafts: readonly Draft[], signal?: AbortSignal) {
  if (!embedder) return
  const late = AbortSignal.timeout(refreshTimeoutMs + drafts.length * 100)
  try {
    for (let i = 0; i < drafts.length; i += embedBatch) {
      const some = drafts.slice(i, i + embedBatch)
      const documents = await Promise.all(some.map(({ discovery }) => documentOfDiscovery(discovery)))
      const texts = documents.map(({ text, chunks: [first] }) =>
        meaningOf(first?.context ?? '', text.slice(first?.start ?? 0, first?.end)),
      )
      const vectors = await embedder.embed(texts, {
        kind: 'passage',
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
      for (const [j, one] of some.entries()) one.vector = vectors[j] ?? null
    }
  } catch {
    // By words alone then; the vectors fill in later like any other's.
    signal?.throwIfAborted()
  }
}

/** Deletes a discovery. Earlier ones that it replaced hold again. Returns false if there is none. */
export async function forgetDiscovery(library: Library, id: string): Promise<boolean> {
  return library.mutex.withLock(discoveriesLease, async () => {
    if (!(await library.store.records.delete(discoveryKind, id))) return false
    await library.store.forget([{ source: discoveriesSource, path: `${id}.md` }])
    const replaced = (await allDiscoveries(library)).filter(({ supersededBy }) => supersededBy === id)
    const valid = replaced.map((one): Discovery => ({ ...one, supersededBy: null }))
    for (const one of valid) await library.store.records.put(discoveryKind, one.id, one)
    if (valid.length > 0) await storeDiscoveries(library, valid)
    return true
  })
}

/** Changes the text of a discovery; its id stays. Secrets are removed, as in recording. */
export async function rewordDiscovery(library: Library, id: string, content: string): Promise<Discovery> {
  return library.mutex.withLock(discoveriesLease, async () => {
    const known = await library.store.records.get<Discovery>(discoveryKind, id)
    if (!known)
      throw new Problem('not_found', `There is no discovery "${id}".`, 'context_search finds the ids.')
    const { type, module } = known
    const { discovery } = draft(library, { type, content, ...(module && { module }), from: { by: 'tool' } })
    const changed = { ...known, content: discovery.content, updatedAt: discovery.updatedAt }
    await library.store.records.put(discoveryKind, id, changed)
    // The vector of the old text must not be given to the new one.
    await library.store.forget([{ source: discoveriesSource, path: `${id}.md` }])
    await storeDiscoveries(library, [changed])
    return changed
  })
}
