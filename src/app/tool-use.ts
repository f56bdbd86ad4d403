// The stored figures of tool calls. Separate from the tools, so that reading the figures does not load the tools.
import type { Library } from '../answer/library.js'
import type { ToolUse } from '../model/reports.js'
import { mergeCounts, type StatisticsKeeper, summarize, type ToolCounts } from '../server/statistics.js'

/** How the tools were used so far, busiest first. */
export async function toolUse(library: Library): Promise<ToolUse[]> {
  const all = (await keeper(library).load()).map(summarize)
  return all.sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1))
}

const kind = '~tool-statistics'

export function keeper({ store }: Library): StatisticsKeeper {
  return {
    load: async () => (await store.records.all<ToolCounts>(kind)).map(({ value }) => value),
    async add(delta) {
      for (const counts of delta)
        await store.records.update<ToolCounts>(kind, counts.tool, (before) => {
          if (!before) return counts
          mergeCounts(before, counts)
          return before
        })
    },
  }
}
