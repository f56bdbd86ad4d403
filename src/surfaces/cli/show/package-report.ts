import type { PackageReport } from '../../../toolsets/packages/sync.js'
import { safe, safeLine } from '../terminal.js'

/** What taking in a package did, with the files that failed. */
export function packageText(report: PackageReport): string {
  if (report.error !== null) return `${safe(report.alias)}: failed, nothing changed. ${safe(report.error)}\n`
  const { added, updated, unchanged, removed, skipped, failed } = report
  const counts = `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed`
  const others = `${skipped.length} skipped, ${failed.length} failed`
  const troubles = failed.slice(0, 20).map(({ path, reason }) => `  ${safeLine(path)}: ${safeLine(reason)}\n`)
  return `${safe(report.alias)}: ${counts}, ${others}.\n${troubles.join('')}`
}
