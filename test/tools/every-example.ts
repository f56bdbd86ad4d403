// Every example of every tool, through MCP, HTTP and the command line: the same result each time.
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { structuredOf, textOf } from '../../src/server/define.js'
import { runTool } from '../../src/surfaces/cli/tool-command.js'
import { serveHttp } from '../../src/surfaces/http/server.js'
import type { Surface } from '../../src/surfaces/mcp/server.js'

export interface ExampleAnswer {
  tool: string
  title: string
  args: unknown
  value: unknown
}

/**
 * Runs them all and returns the answers. `open` gives a fresh world for each road, so that a tool that writes finds the
 * same one each time; `steady` takes out what may differ, such as times.
 */
export async function everyExample<Services>(
  open: () => Promise<Surface<Services>> | Surface<Services>,
  steady: (value: unknown) => unknown = (value) => value,
): Promise<ExampleAnswer[]> {
  const [mcp, api, cli] = [
    await overMcp(await open()),
    await overHttp(await open()),
    await overShell(await open()),
  ]
  const plain = (answers: ExampleAnswer[]) =>
    answers.map((answer) => ({ ...answer, value: steady(answer.value) }))
  assert.deepEqual(plain(api), plain(mcp), 'HTTP gives what MCP gives')
  assert.deepEqual(plain(cli), plain(mcp), 'the command line gives what MCP gives')
  return plain(mcp)
}

type Road = (tool: string, args: unknown) => Promise<unknown>

async function eachExample<Services>({ registry }: Surface<Services>, road: Road): Promise<ExampleAnswer[]> {
  const answers: ExampleAnswer[] = []
  for (const { tool } of registry.tools.values())
    for (const { title, args } of tool.examples)
      answers.push({ tool: tool.name, title, args, value: await road(tool.name, args) })
  return answers
}

async function overMcp<Services>(surface: Surface<Services>) {
  const http = await serveHttp({ surface })
  const client = new Client(
    { name: 'examples', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(`${http.url}/mcp`)))
  // The client checks every answer against the listed output schema by itself once it knows the list.
  await client.listTools()
  try {
    return await eachExample(surface, async (name, args) => {
      const { content, structuredContent, isError } = await client.callTool({
        name,
        arguments: args as never,
      })
      const [first] = content as { text: string }[]
      const value = parsed(first?.text ?? '')
      const isPlain = surface.registry.tool(name).tool.plain
      if (!isError)
        assert.deepEqual(
          structuredContent,
          isPlain ? undefined : structuredOf(value),
          `${name}: text and object differ`,
        )
      return value
    })
  } finally {
    await client.close()
    await http.close(0)
  }
}

async function overHttp<Services>(surface: Surface<Services>) {
  const http = await serveHttp({ surface })
  const headers = { 'content-type': 'application/json' }
  try {
    return await eachExample(surface, async (name, args) => {
      const res = await fetch(`${http.url}/api/tools/${name}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(args),
      })
      return res.json()
    })
  } finally {
    await http.close(0)
  }
}

function overShell<Services>(surface: Surface<Services>) {
  return eachExample(surface, async (name, args) => {
    let output = ''
    const out = {
      write: (text: string) => {
        output += text
      },
    }
    await runTool(
      surface,
      { name, json: JSON.stringify(args) },
      { stdin: process.stdin, stdout: out, stderr: out },
    )
    return parsed(output.slice(0, -1))
  })
}

/** A sentence stays what it is; anything else was JSON. */
function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text)
    return textOf(value) === text ? value : text
  } catch {
    return text
  }
}
