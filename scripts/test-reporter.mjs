// Quiet while all is well: failures in full, what was skipped and why, the slowest files, and one closing line.
import { relative } from 'node:path'

export default async function* report(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const time = new Map()
  const skipped = new Map()
  for await (const { type, data } of events) {
    if (type === 'test:stderr' || type === 'test:stdout') {
      if (process.env.CARREL_TEST_OUTPUT) yield data.message
    } else if (type === 'test:pass' || type === 'test:fail') {
      if (data.details?.type === 'suite' && type === 'test:pass') continue
      const where = data.file ? relative(process.cwd(), data.file) : ''
      if (data.nesting === 0) time.set(where, (time.get(where) ?? 0) + (data.details?.duration_ms ?? 0))
      if (data.skip !== undefined) {
        counts.skipped++
        const reason = typeof data.skip === 'string' && data.skip ? data.skip : 'no reason given'
        skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
      } else if (type === 'test:pass') counts.passed++
      else if (data.details?.error?.failureType !== 'subtestsFailed') {
        counts.failed++
        yield `\n✖ ${data.name}\n  ${where}:${data.line ?? ''}\n${indent(describe(data.details?.error))}\n`
      }
    }
  }
  for (const [reason, count] of skipped) yield `skipped ${count}: ${reason}\n`
  const slow = [...time].sort((a, b) => b[1] - a[1]).slice(0, 5)
  for (const [file, ms] of slow) yield `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}\n`
  yield `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`
}

function describe(error) {
  const cause = error?.cause ?? error
  return cause?.stack ?? String(cause)
}

function indent(text) {
  return text.replace(/^/gm, '    ')
}
