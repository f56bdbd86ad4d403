// What is exposed: the toolsets' records, narrowed by the user's choice and by what this installation can do.
import { Problem } from '../model/problem.js'
import { didYouMean } from '../text/nearest.js'
import type { AnyTool, Prompt, Resource, Toolset } from './define.js'
import type { ExposedTool } from './executor.js'

export interface Selection {
  /** Only these toolsets. */
  toolsets?: readonly string[]
  /** Only these tools (of the chosen toolsets). */
  tools?: readonly string[]
  exclude?: readonly string[]
  /** Only tools that neither write nor send requests. */
  readOnly?: boolean
}

export interface Hidden {
  name: string
  toolset: string
  reason: 'toolset' | 'not_chosen' | 'excluded' | 'read_only' | 'missing_capability'
  message: string
}

export interface Registry<Services> {
  services: Services
  toolsets: readonly Toolset<Services>[]
  /** The names of the toolsets that `narrow` can choose: the exposed ones, and those listed on request. */
  reachable: readonly string[]
  /** Exposed tools in their fixed order: by toolset, then as declared. */
  tools: ReadonlyMap<string, ExposedTool<Services>>
  resources: readonly Resource<Services>[]
  prompts(): Promise<Prompt<Services>[]>
  /** Whether any toolset may have prompts; does not read them. */
  hasPrompts: boolean
  /** What is left out, and why: for `doctor`. */
  hidden: readonly Hidden[]
  /** The exposed tool by that name, or a Problem that names the nearest. */
  tool(name: string): ExposedTool<Services>
  /** The same with less: a selection can take away, never add. */
  narrow(selection: Selection): Registry<Services>
}

export function registry<Services>(
  toolsets: readonly Toolset<Services>[],
  services: Services,
  { capabilities = [], ...selection }: Selection & { capabilities?: Iterable<string> } = {},
): Registry<Services> {
  checkNames(toolsets)
  return build(toolsets, services, new Set(capabilities), [selection])
}

function build<Services>(
  all: readonly Toolset<Services>[],
  services: Services,
  can: ReadonlySet<string>,
  selections: readonly Selection[],
): Registry<Services> {
  for (const selection of selections) checkSelection(all, selection)
  const mayChoose = ({ name }: Toolset<Services>) =>
    selections.every((one) => !one.toolsets || one.toolsets.includes(name))
  const isNamed = ({ name }: Toolset<Services>) => selections.some((one) => one.toolsets?.includes(name))
  const chosen = all.filter((set) => mayChoose(set) && (!set.optIn || isNamed(set)))
  const hidden: Hidden[] = []
  // Those that texts may name. Tools of a set that is listed on request are named by nobody else.
  const withheld: { name: string }[] = []
  const tools = new Map<string, ExposedTool<Services>>()
  for (const toolset of all)
    for (const tool of toolset.tools) {
      const why = whyHidden(toolset, tool, chosen, can, selections)
      if (!why) tools.set(tool.name, { tool, toolset, withheld })
      else {
        hidden.push({ name: tool.name, toolset: toolset.name, ...why })
        if (!toolset.optIn) withheld.push({ name: tool.name })
      }
    }
  return {
    services,
    toolsets: chosen,
    reachable: all.filter(mayChoose).map(({ name }) => name),
    tools,
    resources: chosen.flatMap((set) => set.resources ?? []).filter((one) => missing(one, can).length === 0),
    hasPrompts: chosen.some(
      (set) => set.prompts && (typeof set.prompts === 'function' || set.prompts.length > 0),
    ),
    prompts: () => promptsOf(chosen, services, { can, offered: [...tools.values()].map(({ tool }) => tool) }),
    hidden,
    tool: (name) => tools.get(name) ?? noSuchTool(name, tools, hidden),
    narrow: (selection) => build(all, services, can, [...selections, selection]),
  }
}

function whyHidden<Services>(
  toolset: Toolset<Services>,
  tool: AnyTool<Services>,
  chosen: readonly Toolset<Services>[],
  can: ReadonlySet<string>,
  selections: readonly Selection[],
): Pick<Hidden, 'reason' | 'message'> | null {
  if (!chosen.includes(toolset))
    return {
      reason: 'toolset',
      message: toolset.optIn
        ? `The toolset ${toolset.name} is listed on request: start or call with --toolsets ${toolset.name}.`
        : `The toolset ${toolset.name} is switched off.`,
    }
  for (const selection of selections) {
    if (selection.tools && !selection.tools.includes(tool.name))
      return { reason: 'not_chosen', message: 'It is not among the chosen tools.' }
    if (selection.exclude?.includes(tool.name))
      return { reason: 'excluded', message: 'It is excluded by name.' }
    if (selection.readOnly && tool.effect !== 'read')
      return { reason: 'read_only', message: 'The server is read-only, and this tool is not.' }
  }
  const lacking = missing(tool, can)
  if (lacking.length === 0) return null
  return {
    reason: 'missing_capability',
    message: `It needs ${lacking.join(', ')}, which is not set up here.`,
  }
}

function missing(record: { needs?: string[] }, can: ReadonlySet<string>): string[] {
  return (record.needs ?? []).filter((need) => !can.has(need))
}

async function promptsOf<Services>(
  toolsets: readonly Toolset<Services>[],
  services: Services,
  { can, offered }: { can: ReadonlySet<string>; offered: readonly AnyTool<Services>[] },
): Promise<Prompt<Services>[]> {
  const lists = await Promise.all(
    toolsets.map(({ prompts = [] }) =>
      typeof prompts === 'function' ? prompts(services, offered) : prompts,
    ),
  )
  return lists.flat().filter((prompt) => missing(prompt, can).length === 0)
}

function noSuchTool(name: string, tools: ReadonlyMap<string, unknown>, hidden: readonly Hidden[]): never {
  const known = hidden.find((one) => one.name === name)
  if (known) throw new Problem('unknown_tool', `The tool ${name} is not available here.`, known.message)
  const hint = didYouMean(name, tools.keys()) ?? `The tools are ${[...tools.keys()].join(', ')}.`
  throw new Problem('unknown_tool', `There is no tool "${name.slice(0, 80)}".`, hint)
}

function checkSelection(all: readonly Toolset<never>[], selection: Selection) {
  const tools = all.flatMap((set) => set.tools.map((tool) => tool.name))
  requireKnown(
    'toolset',
    selection.toolsets,
    all.map((set) => set.name),
  )
  requireKnown('tool', selection.tools, tools)
  requireKnown('tool', selection.exclude, tools)
}

/** Refuses unknown names and suggests the closest known one. */
export function requireKnown(
  what: string,
  names: readonly string[] | undefined,
  known: readonly string[],
  { code, where }: { code: string; where: string } = { code: 'unknown_name', where: '' },
) {
  const strange = names?.find((name) => !known.includes(name))
  if (strange === undefined) return
  const hint = didYouMean(strange, known) ?? `The ${what}s are ${known.join(', ')}.`
  throw new Problem(code, `There is no ${what} "${strange.slice(0, 80)}"${where}.`, hint)
}

// Two tools with one name are a bug, found at the first start.
function checkNames(toolsets: readonly Toolset<never>[]) {
  const seen = new Set<string>()
  for (const { name } of [...toolsets, ...toolsets.flatMap((set) => set.tools)]) {
    if (seen.has(name)) throw new Error(`Two records are called ${name}.`)
    seen.add(name)
  }
}
