// What a list of tools costs a model, counted with the tokenizer of GPT-4o and later (o200k_base). Others differ by a
// few per cent on JSON; an estimate from the number of characters is off by a third.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { inputSchemaOf } from '../../src/server/json-schema.js'
import type { Registry } from '../../src/server/registry.js'
import { listsOf } from '../../src/surfaces/mcp/server.js'

export interface TokenCost {
  /** What clients put before a model: names, descriptions and input schemas. */
  model: number
  /** Everything in the answer to tools/list: titles, annotations and output schemas too. */
  list: number
  byTool: { tool: string; model: number; list: number }[]
}

export function tokenCost<Services>(registry: Registry<Services>): TokenCost {
  const listed = listsOf(registry, false).tools
  const byTool = [...registry.tools.values()].map(({ tool }, i) => ({
    tool: tool.name,
    model: countTokens(
      JSON.stringify({ name: tool.name, description: tool.summary, input_schema: inputSchemaOf(tool) }),
    ),
    list: countTokens(JSON.stringify(listed[i])),
  }))
  const total = (of: 'model' | 'list') => byTool.reduce((sum, one) => sum + one[of], 0)
  return { model: total('model'), list: total('list'), byTool }
}
