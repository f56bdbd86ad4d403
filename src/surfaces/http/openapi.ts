// The HTTP API as an OpenAPI document, served at /api/openapi.json. The reference page is generated from it.
import { inputSchemaOf, type JsonSchema, outputSchemaOf } from '../../server/json-schema.js'
import type { Registry } from '../../server/registry.js'

interface Operation {
  operationId: string
  summary: string
  [field: string]: unknown
}

export interface OpenApi {
  openapi: string
  info: { title: string; version: string; description: string }
  components: Record<string, Record<string, unknown>>
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation>>
}

/** The document for the tools that a registry exposes. */
export function openApi<Services>(registry: Registry<Services>, version: string): OpenApi {
  const tools = [...registry.tools.values()]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carrel',
      version,
      description:
        'Every tool is a POST with its arguments as JSON. The result is the one that MCP clients get. If the server has a token, send it as "Authorization: Bearer TOKEN".',
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          properties: { error: { description: 'A sentence, or an object with code and message.' } },
          required: ['error'],
        },
      },
      responses: Object.fromEntries(
        failures.map(([status, description]) => [status, response(description, errorSchema)]),
      ),
    },
    security: [{}, { token: [] }],
    paths: {
      '/healthz': get('health', 'Whether the server runs. Needs no token.', { status: { type: 'string' } }),
      '/metrics': {
        get: {
          operationId: 'metrics',
          summary: 'Metrics in the text form of Prometheus.',
          responses: {
            200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } },
          },
        },
      },
      '/api/openapi.json': get('openapi', 'This document.'),
      '/api/status': get('status', 'What is indexed, and what the server is doing.', {
        root: { type: 'string' },
        documents: { type: 'integer' },
        chunks: { type: 'integer' },
        collections: { type: 'array', items: { type: 'object' } },
        indexing: { type: ['object', 'null'] },
        lastIndexed: { type: ['string', 'null'] },
      }),
      '/api/statistics': get('statistics', 'Calls, failures and times of each tool.', {
        tools: { type: 'array', items: { type: 'object' } },
      }),
      '/api/tools': get('tools', 'The tools with their schemas.', {
        tools: { type: 'array', items: { type: 'object' } },
      }),
      ...Object.fromEntries(
        tools.map(({ tool, toolset }) => [
          `/api/tools/${tool.name}`,
          {
            post: {
              operationId: tool.name,
              summary: tool.title,
              description: tool.summary,
              tags: [toolset.name],
              parameters: narrowing.map(([name, description]) => ({
                name,
                in: 'header',
                description,
                schema: { type: 'string' },
              })),
              requestBody: { required: true, content: json(inputSchemaOf(tool)) },
              responses: {
                200: response('The result.', resultSchemaOf(outputSchemaOf(tool))),
                ...Object.fromEntries(
                  failures.map(([status]) => [status, { $ref: `#/components/responses/${status}` }]),
                ),
              },
            },
          },
        ]),
      ),
    },
  }
}

/** The headers with which a request chooses fewer tools. */
const narrowing = [
  ['X-Carrel-Toolsets', 'Only these toolsets, separated by commas.'],
  ['X-Carrel-Tools', 'Only these tools.'],
  ['X-Carrel-Exclude-Tools', 'Not these tools.'],
  ['X-Carrel-Readonly', 'true: no tool that writes or accesses the network.'],
] as const

const failures = [
  ['400', 'An argument or a header is wrong.'],
  ['401', 'The token is missing or wrong.'],
  ['403', 'The host or the origin is not allowed.'],
  ['404', 'Nothing has this name.'],
  ['422', 'The request cannot be met.'],
  ['429', 'Too many calls; Retry-After says how long to wait.'],
  ['500', 'A bug inside Carrel.'],
  ['503', 'The server is busy, or its disk or index cannot be used.'],
  ['504', 'The call took too long.'],
] as const

const errorSchema: JsonSchema = { $ref: '#/components/schemas/Error' }

/** Over HTTP, a result that is not an object is returned directly, without `result` around it. */
function resultSchemaOf(schema: JsonSchema): JsonSchema {
  const { result, note: _, ...fields } = (schema.properties ?? {}) as Record<string, JsonSchema>
  if (!result) return schema
  return Object.keys(fields).length === 0
    ? result
    : { anyOf: [{ type: 'object', properties: fields }, result] }
}

function get(operationId: string, summary: string, properties: Record<string, JsonSchema> = {}) {
  const schema = { type: 'object', properties }
  return { get: { operationId, summary, responses: { 200: response('The answer.', schema) } } }
}

function response(description: string, schema: JsonSchema) {
  return { description, content: json(schema) }
}

function json(schema: JsonSchema) {
  return { 'application/json': { schema } }
}
