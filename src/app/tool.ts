import type { Library } from '../answer/library.js'
import type { Configuration } from '../model/settings.js'
import { aborted } from '../runtime/abort-signals.js'
import type { Output, ToolRequest } from '../surfaces/cli/context.js'
import { safe } from '../surfaces/cli/terminal.js'
import { runTool, toolList } from '../surfaces/cli/tool-command.js'
import { toolsets } from '../toolsets/all.js'
import { closeMemory } from '../toolsets/context/lifecycle.js'
import { closeEach } from './closing.js'
import { openForCommand } from './open.js'
import { openSurface } from './surface.js'

/** One tool, as over MCP; without a name, the list of them. */
export async function tool(
  configuration: Configuration,
  request: ToolRequest,
  streams: { out: Output; err: Output; stdin: NodeJS.ReadableStream },
): Promise<number> {
  const library = await openForCommand(configuration, {
    reading: onlyReads(request),
    asking: asking.has(request.name ?? ''),
    onNote: ({ message }) => streams.err.write(`note: ${safe(message)}\n`),
  })
  try {
    const code = await callTool(library, configuration, request, streams)
    await stayFor(library, request, streams.err)
    return code
  } finally {
    await closeEach(
      () => closeMemory(library),
      () => library.close(),
    )
  }
}

/** Tools whose first step is a question. */
const asking = new Set(['find', 'documents_search', 'documents_search_batch'])

/** Whether the tool only reads, or the tools are only listed. */
export function onlyReads({ name }: Pick<ToolRequest, 'name'>): boolean {
  const declared = toolsets.flatMap(({ tools }) => tools).find((tool) => tool.name === name)
  return name === undefined || declared?.effect === 'read'
}

/** The same with an open library. `session` names the connection where there are several. */
export async function callTool(
  library: Library,
  configuration: Configuration,
  request: ToolRequest,
  streams: { out: Output; err: Output; stdin: NodeJS.ReadableStream },
  session?: string,
): Promise<number> {
  const surface = await openSurface(library, configuration, { version: request.version, logLevel: 'silent' })
  try {
    if (request.name === undefined) {
      streams.out.write(toolList(surface.registry, request))
      return 0
    }
    const terminal = { stdin: streams.stdin, stdout: streams.out, stderr: streams.err }
    return await runTool(surface, { ...request, name: request.name, session }, terminal)
  } finally {
    await surface.executor.statistics.close()
    if (session !== undefined) surface.onDisconnect?.(session)
  }
}

/** A crawl that was started goes on: no other process may be there to run it. */
async function stayFor({ tasks }: Library, { quiet, signal }: ToolRequest, err: Output) {
  if (tasks.running === 0) return
  if (!quiet)
    err.write(
      'note: what was begun goes on until it is done. Interrupted, it is left to a server or "carrel crawl --resume".\n',
    )
  await Promise.race([tasks.idle(), aborted(signal)])
}
