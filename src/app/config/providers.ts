// The embedding and rerank settings: the keys of the chosen provider, without those that a project may not set.
import { realpath } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { type Note, Problem } from '../../model/problem.js'
import type { EmbeddingSettings, RerankSettings } from '../../model/settings.js'
import { isThisMachine } from '../../sources/web/web-url.js'
import { goesWith, type InEffect, type Provided, providers, type Setting } from './layers.js'
import { locate } from './place.js'
import type { Environment } from './read.js'

export interface Surroundings {
  env: Environment
  root: string
  home: string
  allow: { outside: boolean; network: boolean }
  notes: Note[]
}

export async function settleEmbedding(inEffect: InEffect, around: Surroundings): Promise<EmbeddingSettings> {
  const get = lookIn(inEffect, 'embedding')
  const provider = chosen<EmbeddingSettings['provider']>(inEffect, 'embedding', 'bundled')
  const threads = get<number>('threads') ?? Math.min(4, Math.max(1, availableParallelism() - 1))
  const queryPrefix = get<string>('queryPrefix') ?? ''
  const passagePrefix = get<string>('passagePrefix') ?? ''
  switch (provider) {
    case 'none':
      return { provider }
    case 'bundled':
      return { provider, threads }
    case 'onnx':
      return {
        provider,
        folder: await modelFolder(inEffect, 'embedding', around),
        threads,
        queryPrefix,
        passagePrefix,
      }
    case 'openai-compatible':
      return {
        provider,
        ...server(inEffect, 'embedding', around),
        dimensions: get<number>('dimensions')!,
        queryPrefix,
        passagePrefix,
        requestsPerMinute: get<number>('requestsPerMinute') ?? null,
      }
  }
}

export async function settleRerank(inEffect: InEffect, around: Surroundings): Promise<RerankSettings> {
  const provider = chosen<RerankSettings['provider']>(inEffect, 'rerank', 'second-stage')
  switch (provider) {
    case 'none':
    case 'second-stage':
      return { provider }
    case 'onnx':
      return { provider, folder: await modelFolder(inEffect, 'rerank', around) }
    case 'endpoint':
      return {
        provider,
        shape: lookIn(inEffect, 'rerank')<'cohere' | 'jina' | 'voyage' | 'tei'>('shape')!,
        ...server(inEffect, 'rerank', around),
      }
  }
}

function lookIn(inEffect: InEffect, group: Provided) {
  return <T>(name: string): T | undefined => inEffect<T>(`${group}.${name}`)?.value
}

/** The provider in effect, once its keys are complete and no other's are among them. */
function chosen<T extends string>(inEffect: InEffect, group: Provided, byDefault: T): T {
  const provider = inEffect<T>(`${group}.provider`)?.value ?? byDefault
  const fitting = goesWith(group, provider)
  for (const name of new Set(Object.values(providers[group]).flat())) {
    const setting = name && inEffect(`${group}.${name}`)
    if (setting && !fitting.includes(name)) throw misfit(group, name, provider, setting)
  }
  const missing = fitting.slice(0, fitting.indexOf(null)).filter((name) => !inEffect(`${group}.${name}`))
  if (missing.length > 0) throw incomplete(group, provider, missing as string[])
  return provider
}

function misfit(group: Provided, name: string, provider: string, setting: Setting): Problem {
  const users = Object.keys(providers[group]).filter((one) => goesWith(group, one).includes(name))
  return new Problem(
    'bad_configuration',
    `"${group}.${name}" (${setting.layer.where([group, name])}) means nothing to the provider "${provider}".`,
    `It goes with "provider": ${users.map((one) => `"${one}"`).join(' or ')}.`,
  )
}

function incomplete(group: Provided, provider: string, missing: string[]): Problem {
  const names = missing.map((name) => `"${group}.${name}"`)
  const last = names.pop()!
  const all = names.length ? `${names.join(', ')} and ${last}` : last
  return new Problem('bad_configuration', `The ${group} provider "${provider}" also needs ${all}.`)
}

/** A model runs in the native runtime and can name more files to read, so the user chooses it, not the project. */
async function modelFolder(inEffect: InEffect, group: Provided, around: Surroundings): Promise<string> {
  const { value, layer } = inEffect<string>(`${group}.folder`)!
  const where = layer.where([group, 'folder'])
  if (layer.whose === 'project' && !around.allow.outside)
    throw new Problem(
      'bad_configuration',
      `"${group}.folder" (${where}) names a model to load, and a project's file cannot choose one by itself.`,
      'Allow it with --allow-outside (or CARREL_ALLOW_OUTSIDE=1), or name the folder in your own configuration file.',
    )
  const path = await realpath(locate(value, around)).catch(() => null)
  if (path === null)
    throw new Problem('bad_configuration', `"${group}.folder" (${where}) names ${value}, which is not there.`)
  return path
}

function server(inEffect: InEffect, group: Provided, around: Surroundings) {
  const address = inEffect<string>(`${group}.baseUrl`)!
  const keyFrom = inEffect<string>(`${group}.keyFrom`)
  const url = parsed(address, group)
  if (!around.allow.network) {
    if (address.layer.whose === 'project' && !isThisMachine(url)) throw reachesOut(group, url, address)
    if (keyFrom?.layer.whose === 'project') throw choosesKey(group, keyFrom)
  }
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    model: inEffect<string>(`${group}.model`)!.value,
    key: keyFrom ? keyIn(keyFrom, group, around) : null,
  }
}

function parsed({ value, layer }: Setting<string>, group: Provided): URL {
  const where = layer.where([group, 'baseUrl'])
  if (!URL.canParse(value))
    throw new Problem('bad_configuration', `"${group}.baseUrl" (${where}) is no web address.`)
  const url = new URL(value)
  if (url.username || url.password || url.search || url.hash)
    throw new Problem(
      'bad_configuration',
      `"${group}.baseUrl" (${where}) must be a bare address, without user, password, "?" or "#".`,
      'Put a key into an environment variable and name that variable with "keyFrom".',
    )
  return url
}

function reachesOut(group: Provided, url: URL, { layer }: Setting): Problem {
  return new Problem(
    'bad_configuration',
    `"${group}.baseUrl" (${layer.where([group, 'baseUrl'])}) sends texts to ${url.host}, and a project's file cannot reach beyond this machine by itself.`,
    'Allow it with --allow-network (or CARREL_ALLOW_NETWORK=1), or name the server in your own configuration file.',
  )
}

// Otherwise a project could pick any secret of the environment and have it sent to the user's own server, or to any program
// that listens on this machine.
function choosesKey(group: Provided, { layer }: Setting): Problem {
  return new Problem(
    'bad_configuration',
    `"${group}.keyFrom" (${layer.where([group, 'keyFrom'])}) picks an environment variable to send to a server, and a project's file cannot do that by itself.`,
    'Allow it with --allow-network (or CARREL_ALLOW_NETWORK=1), or name the variable in your own configuration file.',
  )
}

function keyIn(
  { value: name, layer }: Setting<string>,
  group: Provided,
  around: Surroundings,
): string | null {
  const key = around.env[name]?.trim()
  if (key) return key
  const where = layer.where([group, 'keyFrom'])
  around.notes.push({
    code: 'key_missing',
    message: `"${group}.keyFrom" (${where}) names ${name}, which is not set: requests go without a key.`,
  })
  return null
}
