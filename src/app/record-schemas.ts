// The schema of each kind of record. Records are kept in a database and in a plain file, which others may have changed:
// reading skips records that do not match.
import { z } from 'zod'
import { discoveryKind, sessionKind } from '../answer/memory/records.js'
import { lastRunRecord } from '../answer/notes/index-state.js'
import { sourceKind } from '../answer/source-records.js'
import { isOfReading } from '../ingest/reader-version.js'
import { discoveryTypes } from '../model/discovery.js'
import { documentKind } from '../toolsets/knowledge/document-records.js'
import { jobKind, jobStates } from '../toolsets/knowledge/jobs.js'
import { planForm } from '../toolsets/knowledge/plan-form.js'

interface Entry {
  kind: string
  id: string
  value: unknown
}

/** Whether a record may be restored from the journal: not those that describe the lost index. */
export function isWhole(entry: Entry): boolean {
  if (isOfReading(entry.kind) || entry.kind === lastRunRecord.kind) return false
  return isValid(entry)
}

/** Whether a record matches the schema of its kind, if that has one. */
export function isValid({ kind, id, value }: Entry): boolean {
  const form = forms.get(kind)
  if (!form) return true
  return form.safeParse(value).success && (value as { id?: unknown }).id === id
}

const text = z.string()
const dated = { id: text, createdAt: text, updatedAt: text }
const anything = z.record(text, z.unknown())

const forms = new Map<string, z.ZodType>([
  [
    sourceKind,
    z.looseObject({ ...dated, title: text, name: text, type: z.enum(['upload', 'crawl', 'api']) }),
  ],
  [
    documentKind,
    z.looseObject({
      ...dated,
      // The names of its bytes in the data folder are made of these two.
      id: text.regex(/^doc_[0-9a-f]{1,64}$/),
      hash: text.regex(/^[0-9a-f]{64}$/),
      source: text,
      path: text,
      name: text,
      bytes: z.number(),
      metadata: anything,
      status: z.enum(['processing', 'completed', 'failed']),
    }),
  ],
  [
    jobKind,
    z.looseObject({ id: text, source: text, plan: planForm, status: z.enum(jobStates), createdAt: text }),
  ],
  [
    discoveryKind,
    z.looseObject({
      ...dated,
      type: z.enum(discoveryTypes),
      content: text,
      count: z.number(),
      provenance: z.array(z.unknown()),
    }),
  ],
  [
    sessionKind,
    z.looseObject({
      id: text,
      startedAt: z.number(),
      lastAt: z.number(),
      calls: z.number(),
      files: anything,
      discoveries: z.array(z.unknown()),
    }),
  ],
])
