import { Problem } from '../../model/problem.js'
import type { Complete, Prompt } from '../../server/define.js'
import type { Registry } from '../../server/registry.js'
import { didYouMean } from '../../text/nearest.js'
import { oneLine } from '../../text/one-line.js'
import { refuseCursor } from './errors.js'
import type { Offer, Serving } from './server.js'

export function servePrompts<Services>(serving: Serving<Services>) {
  const { server, offerTo } = serving
  server.setRequestHandler('prompts/list', ({ params }, ctx) =>
    serving.run({ name: 'prompts/list' }, ctx, async () => {
      refuseCursor(params?.cursor)
      return { prompts: (await offerTo(ctx).registry.prompts()).map(listed) }
    }),
  )
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: args = {} } }, ctx) =>
    serving.run({ name: 'prompts/get', args: { name, args } }, ctx, async (call) => {
      const { registry } = offerTo(ctx)
      const prompt = await find(registry, name)
      checkArguments(prompt, args)
      const { description = prompt.summary, ...rest } = await prompt.get(registry.services, args, call)
      return { description: oneLine(description, longestSummary), ...rest }
    }),
  )
}

export async function promptCompletion<Services>(
  { registry }: Offer<Services>,
  name: string,
  argument: string,
): Promise<Complete<Services> | undefined> {
  const prompt = await find(registry, name)
  return prompt.arguments.find((one) => one.name === argument)?.complete
}

async function find<Services>(registry: Registry<Services>, name: string): Promise<Prompt<Services>> {
  const prompts = await registry.prompts()
  const found = prompts.find((prompt) => prompt.name === name)
  if (found) return found
  const names = prompts.map((prompt) => prompt.name)
  throw new Problem(
    'invalid',
    `There is no prompt "${name.slice(0, 80)}". ${didYouMean(name, names) ?? `The prompts are ${names.join(', ')}.`}`,
  )
}

function checkArguments<Services>(prompt: Prompt<Services>, given: Record<string, string>) {
  const names = prompt.arguments.map((argument) => argument.name)
  const strange = Object.keys(given).find((name) => !names.includes(name))
  if (strange !== undefined)
    throw new Problem(
      'invalid',
      `${strange.slice(0, 80)} is not an argument of ${prompt.name}. ${didYouMean(strange, names) ?? `It takes ${names.join(', ') || 'none'}.`}`,
    )
  const missing = prompt.arguments.filter(({ name, required }) => required && !given[name])
  if (missing.length > 0)
    throw new Problem(
      'invalid',
      `${prompt.name} needs ${missing.map(({ name, description }) => `${name} (${description})`).join(', ')}.`,
    )
}

/** Prompts of a project come from its files. */
const longestSummary = 500

function listed<Services>(prompt: Prompt<Services>) {
  return {
    name: prompt.name,
    title: oneLine(prompt.title, 100),
    description: oneLine(prompt.summary, longestSummary),
    arguments: prompt.arguments.map(({ name, description, required }) => ({
      name,
      description: oneLine(description, longestSummary),
      required: required ?? false,
    })),
  }
}
