// What the records of each kind must have for everything that reads them. A record comes back from a plain file that
// people can edit; one that is not whole would stop every command that meets it.
import { isOfReading } from '../ingest/reader-version.js'
import { discoveryKind, discoveryTypes } from './context/discoveries.js'
import { sessionKind } from './context/session-record.js'
import { documentKind } from './knowledge/document-records.js'
import { jobKind, jobStates } from './knowledge/jobs.js'
import { sourceKind } from './knowledge/sources.js'
import { lastRunRecord } from './last-run.js'

/** Whether a record may be taken back. One of a kind that is not known here may, unless it tells of the index that is gone. */
export function isWhole({ kind, id, value }: { kind: string; id: string; value: unknown }): boolean {
  if (isOfReading(kind) || kind === lastRunRecord.kind) return false
  const form = forms.get(kind)
  if (!form) return true
  if (!isObject(value) || value.id !== id) return false
  return Object.entries(form).every(([field, fits]) => fits(value[field]))
}

type Fits = (value: unknown) => boolean

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Fits = (value) => typeof value === 'string'
const isNumber: Fits = (value) => typeof value === 'number'
const isList: Fits = (value) => Array.isArray(value)
const isOneOf = (choices: readonly unknown[]): Fits => choices.includes.bind(choices)

const dated = { createdAt: isText, updatedAt: isText }

const forms = new Map<string, Record<string, Fits>>([
  [sourceKind, { title: isText, name: isText, type: isOneOf(['upload', 'crawl', 'api']), ...dated }],
  [
    documentKind,
    {
      ...{ source: isText, path: isText, name: isText, hash: isText, bytes: isNumber, metadata: isObject },
      ...{ status: isOneOf(['processing', 'completed', 'failed']), ...dated },
    },
  ],
  [jobKind, { source: isText, plan: isObject, status: isOneOf(jobStates), createdAt: isText }],
  [
    discoveryKind,
    { type: isOneOf(discoveryTypes), content: isText, count: isNumber, provenance: isList, ...dated },
  ],
  [
    sessionKind,
    { startedAt: isNumber, lastAt: isNumber, calls: isNumber, files: isObject, discoveries: isList },
  ],
])
