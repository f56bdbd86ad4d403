// The tools, prompts and resources that the conformance suites look for by name. The suites test a protocol; this is
// the server they expect behind it, on the product's own transport.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequest,
  inputRequired,
  inputResponse,
  type JsonSchemaType,
  McpServer,
  type McpServerFactory,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Changes } from '../../src/server/changes.js'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const silence = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=='
const states = createRequestStateCodec<{ step: number }>({ key: new Uint8Array(32).fill(7), ttlSeconds: 300 })

export function conformanceFactory(changes: Changes): McpServerFactory {
  return () => {
    const server = new McpServer(
      { name: 'conformance-fixture', version: '1.0.0' },
      {
        capabilities: {
          tools: { listChanged: false },
          resources: { subscribe: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
        },
        requestState: { verify: states.verify },
      },
    )
    contentTools(server)
    askingTools(server)
    inputRequiredTools(server)
    diagnosticTools(server, changes)
    prompts(server)
    resources(server)
    return server
  }
}

const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] })
const image = { type: 'image', data: pixel, mimeType: 'image/png' } as const
const embedded = (uri: string, content: string, mimeType = 'text/plain') => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content },
})

type Run = (ctx: ServerContext) => Promise<unknown> | unknown

function tool(server: McpServer, name: string, run: Run) {
  server.registerTool(
    name,
    { description: `For the suite: ${name}` },
    (ctx: ServerContext) => run(ctx) as CallToolResult,
  )
}

function contentTools(server: McpServer) {
  tool(server, 'test_simple_text', () => text('This is a simple text response for testing.'))
  tool(server, 'test_image_content', () => ({ content: [image] }))
  tool(server, 'test_audio_content', () => ({
    content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }],
  }))
  tool(server, 'test_embedded_resource', () => ({
    content: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
  }))
  tool(server, 'test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
    ],
  }))
  tool(server, 'test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  tool(server, 'test_tool_with_logging', async (ctx) => {
    for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', step)
      await sleep(50)
    }
    return text('Logged.')
  })
  tool(server, 'test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      await sleep(50)
    }
    return text('Done.')
  })
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: fromJsonSchema(richSchema) },
    () => text('ok'),
  )
}

const richSchema: JsonSchemaType = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

/** Tools of the older revisions, which ask the client while they run: on the stream of the request they belong to,
 * because the client's other stream may not be open yet. */
function askingTools(server: McpServer) {
  const ask = async (ctx: ServerContext, message: string, properties: object, required: string[] = []) => {
    const params = { mode: 'form', message, requestedSchema: { type: 'object', properties, required } }
    const { action, content = {} } = await ctx.mcpReq.send({ method: 'elicitation/create', params })
    return `action=${action}, content=${JSON.stringify(content)}`
  }
  const elicit = (name: string, message: string, properties: object) =>
    tool(server, name, async (ctx) => text(`Elicitation completed: ${await ask(ctx, message, properties)}`))
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const messages = [{ role: 'user', content: { type: 'text', text: prompt } }]
      const params = { messages, maxTokens: 100 }
      const answer = await ctx.mcpReq.send({ method: 'sampling/createMessage', params })
      return text(`LLM response: ${JSON.stringify(answer.content)}`)
    },
  )
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, ctx) => {
      const fields = { username: { type: 'string' }, email: { type: 'string' } }
      return text(`User response: ${await ask(ctx, message, fields, ['username', 'email'])}`)
    },
  )
  elicit('test_elicitation_sep1034_defaults', 'Defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  })
  const titled = ['First', 'Second', 'Third'].map((title, i) => ({
    const: `value${i + 1}`,
    title: `${title} Option`,
  }))
  const options = ['option1', 'option2', 'option3']
  elicit('test_elicitation_sep1330_enums', 'Enums', {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  })
  tool(server, 'test_reconnection', async (ctx) => {
    ctx.http?.closeSSE?.()
    await sleep(100)
    return text('Reconnected.')
  })
}

const question = (message: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] } as never,
  })
const sampling = (content: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: content } }],
    maxTokens,
  })

/** Tools of the newest revision, which answer that they need something first. */
function inputRequiredTools(server: McpServer) {
  const asking = (
    name: string,
    inputRequests: Record<string, InputRequest>,
    answer: (given: unknown[]) => string,
    step?: number,
  ) =>
    tool(server, name, async ({ mcpReq }) => {
      const given = Object.keys(inputRequests).map((key) => inputResponse(mcpReq.inputResponses, key))
      const complete = given.every(
        (one) => one.kind !== 'missing' && (one.kind !== 'elicit' || one.action !== 'accept' || one.content),
      )
      if (complete && (step === undefined || mcpReq.requestState() !== undefined)) return text(answer(given))
      return inputRequired({
        inputRequests,
        ...(step !== undefined && { requestState: await states.mint({ step }) }),
      })
    })
  asking(
    'test_input_required_result_elicitation',
    { user_name: question('What is your name?', 'name') },
    ([given]) => `Hello, ${(given as { content?: { name?: string } }).content?.name}!`,
  )
  asking(
    'test_input_required_result_sampling',
    { capital_question: sampling('What is the capital of France?', 100) },
    (given) => JSON.stringify(given),
  )
  asking('test_input_required_result_list_roots', { client_roots: inputRequired.listRoots() }, (given) =>
    JSON.stringify(given),
  )
  asking(
    'test_input_required_result_request_state',
    { confirm: question('Please confirm', 'ok', 'boolean') },
    () => 'state-ok',
    1,
  )
  asking(
    'test_input_required_result_tampered_state',
    { confirm: question('Please confirm', 'ok', 'boolean') },
    () => 'state-ok',
    1,
  )
  const several = {
    user_name: question('What is your name?', 'name'),
    greeting: sampling('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  }
  asking('test_input_required_result_multiple_inputs', several, (given) => JSON.stringify(given), 1)
  tool(server, 'test_input_required_result_multi_round', async ({ mcpReq }) => {
    const step = mcpReq.requestState<{ step: number }>()?.step ?? 0
    if (step >= 2 && inputResponse(mcpReq.inputResponses, 'step2').kind !== 'missing')
      return text('All steps are done.')
    const second = step >= 1 && inputResponse(mcpReq.inputResponses, 'step1').kind !== 'missing'
    const inputRequests: Record<string, InputRequest> = second
      ? { step2: question('Step 2: What is your favorite color?', 'color') }
      : { step1: question('Step 1: What is your name?', 'name') }
    return inputRequired({ inputRequests, requestState: await states.mint({ step: second ? 2 : 1 }) })
  })
  tool(server, 'test_input_required_result_capabilities', ({ mcpReq }) => {
    const envelope = mcpReq.envelope as Record<string, object | undefined> | undefined
    const can = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
    const inputRequests: Record<string, InputRequest> = {}
    if ('sampling' in can) inputRequests.greeting = sampling('Generate a greeting', 50)
    if ('elicitation' in can) inputRequests.user_name = question('Name?', 'name')
    return Object.keys(mcpReq.inputResponses ?? {}).length ? text('Done.') : inputRequired({ inputRequests })
  })
}

function diagnosticTools(server: McpServer, changes: Changes) {
  tool(server, 'test_missing_capability', () =>
    inputRequired({ inputRequests: { greeting: sampling('Hello', 10) } }),
  )
  tool(server, 'test_streaming_elicitation', () =>
    inputRequired({ inputRequests: { user_name: question('Name?', 'name') } }),
  )
  tool(server, 'test_logging_tool', async (ctx) => {
    await ctx.mcpReq.log('info', 'a line')
    return text('Logged.')
  })
  tool(server, 'test_trigger_prompt_change', () => {
    changes.publish({ kind: 'prompts' })
    return text('Told.')
  })
  tool(server, 'test_trigger_tool_change', () => text('The list of tools never changes here.'))
  const region = z.string().meta({ 'x-mcp-header': 'Region' })
  server.registerTool(
    'test_custom_headers',
    { description: 'Takes a header', inputSchema: z.object({ region: region.optional() }) },
    ({ region = '' }) => text(region),
  )
}

function prompts(server: McpServer) {
  const user = (content: object) => ({
    role: 'user' as const,
    content: content as { type: 'text'; text: string },
  })
  const prompt = (text: string) => user({ type: 'text', text })
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [prompt('This is a simple prompt for testing.')],
  }))
  const argsSchema = z.object({
    arg1: completable(z.string(), (value) =>
      ['paris', 'park', 'party'].filter((one) => one.startsWith(value)),
    ),
    arg2: z.string(),
  })
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Arguments', argsSchema },
    ({ arg1, arg2 }) => ({ messages: [prompt(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embedded', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, 'Embedded resource content for testing.')),
        prompt('Please process the embedded resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Image' }, () => ({
    messages: [user(image), prompt('Please analyze the image above.')],
  }))
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, (ctx) => {
    const given = inputResponse(ctx.mcpReq.inputResponses, 'user_context')
    if (given.kind === 'missing')
      return inputRequired({
        inputRequests: { user_context: question('What context should the prompt use?', 'context') },
      })
    return { messages: [prompt(`Context: ${JSON.stringify(given)}`)] }
  })
}

function resources(server: McpServer) {
  const fixed = (
    uri: string,
    contents: { mimeType: string; text: string } | { mimeType: string; blob: string },
  ) =>
    server.registerResource(uri, uri, { description: uri, mimeType: contents.mimeType }, () => ({
      contents: [{ uri, ...contents }],
    }))
  fixed('test://static-text', {
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  })
  fixed('test://static-binary', { mimeType: 'image/png', blob: pixel })
  fixed('test://watched-resource', { mimeType: 'text/plain', text: 'Watched.' })
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource(
    'template',
    template,
    { description: 'By id', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
}
