// The part of the suites' expectations that our own records can meet: it goes through the product's whole server.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Problem } from '../../src/model/problem.js'
import { defineResource, defineTool, defineToolset, type Prompt } from '../../src/server/define.js'
import { errorShapes } from '../../src/server/error-shapes.js'

const nothing = z.object({})

const simpleText = defineTool({
  name: 'test_simple_text',
  title: 'Simple text',
  summary: 'Returns a sentence.',
  effect: 'read',
  input: nothing,
  output: z.string(),
  examples: [{ title: 'Any', args: {} }],
  run: () => 'This is a simple text response for testing.',
  view: (result) => result,
})

const failing = defineTool({
  name: 'test_error_handling',
  title: 'Error',
  summary: 'Fails.',
  effect: 'read',
  input: nothing,
  output: z.string(),
  examples: [{ title: 'Any', args: {} }],
  run: (): string => {
    throw new Problem('test', 'This tool intentionally returns an error for testing')
  },
  view: (result) => result,
})

const progress = defineTool({
  name: 'test_tool_with_progress',
  title: 'Progress',
  summary: 'Says how far it is.',
  effect: 'read',
  input: nothing,
  output: z.string(),
  examples: [{ title: 'Any', args: {} }],
  // Slower than the suite proposes: no client is sent progress more often than every 250 ms.
  run: async (_: unknown, _args, call) => {
    for (const done of [0, 50, 100]) {
      call.progress(done, 100)
      await sleep(260)
    }
    return 'Done.'
  },
  view: (result) => result,
})

const fixed = (uri: string, contents: { mimeType: string; text?: string; blob?: string }) =>
  defineResource({
    name: uri,
    title: uri,
    summary: uri,
    uri,
    mimeType: contents.mimeType,
    read: () => contents,
  })

const template = defineResource({
  name: 'by-id',
  title: 'By id',
  summary: 'Data by id.',
  template: 'test://template/{id}/data',
  mimeType: 'application/json',
  read: (_, { variables: { id } }) => ({
    text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
})

const prompt = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } })

const simplePrompt: Prompt = {
  name: 'test_simple_prompt',
  title: 'Simple',
  summary: 'Says a sentence.',
  arguments: [],
  get: () => ({ messages: [prompt('This is a simple prompt for testing.')] }),
}

const promptWithArguments: Prompt = {
  name: 'test_prompt_with_arguments',
  title: 'Arguments',
  summary: 'Repeats its arguments.',
  arguments: [
    {
      name: 'arg1',
      description: 'First',
      required: true,
      complete: (_, value) => ['paris', 'park', 'party'].filter((one) => one.startsWith(value)),
    },
    { name: 'arg2', description: 'Second', required: true },
  ],
  get: (_, { arg1, arg2 }) => ({
    messages: [prompt(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }),
}

const promptWithResource: Prompt = {
  name: 'test_prompt_with_embedded_resource',
  title: 'Embedded',
  summary: 'Embeds a resource.',
  arguments: [{ name: 'resourceUri', description: 'Which', required: true }],
  get: (_, { resourceUri = '' }) => ({
    messages: [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
      },
      prompt('Please process the embedded resource above.'),
    ],
  }),
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

export const conformanceToolset = defineToolset<unknown>({
  name: 'conformance',
  title: 'Conformance',
  purpose: 'For the suite.',
  errorShape: errorShapes.documents,
  tools: [simpleText, failing, progress],
  resources: [
    fixed('test://static-text', {
      mimeType: 'text/plain',
      text: 'This is the content of the static text resource.',
    }),
    fixed('test://static-binary', { mimeType: 'image/png', blob: pixel }),
    fixed('test://watched-resource', { mimeType: 'text/plain', text: 'Watched.' }),
    template,
  ],
  prompts: [simplePrompt, promptWithArguments, promptWithResource],
})
