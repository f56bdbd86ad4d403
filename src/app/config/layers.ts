// The layers of the configuration and the values in effect: flags win over the environment, which wins over the project's
// file, which wins over the user's own file.
import type { Path } from './json.js'
import { type Key, keys } from './keys.js'
import type { Config } from './schema.js'

export interface Layer {
  whose: 'user' | 'project' | 'environment' | 'flags'
  values: Config
  where(path: Path): string
}

/** A value in effect and the layer that sets it. */
export interface Setting<T = unknown> {
  value: T
  layer: Layer
}

/** The value in effect for a key; undefined if no layer sets it. */
export type InEffect = <T>(name: string) => Setting<T> | undefined

/** Weakest layer first. */
export function merge(layers: readonly Layer[]): InEffect {
  const settings = new Map<string, Setting>()
  for (const key of keys) {
    const layer = layers.findLast((one) => valueIn(one, key) !== undefined && !outdated(layers, one, key))
    if (layer) settings.set(key.name, { value: valueIn(layer, key), layer })
  }
  return <T>(name: string) => settings.get(name) as Setting<T> | undefined
}

/** The values of all layers for a list that layers add to, weakest first. */
export function allSettings<T>(layers: readonly Layer[], name: keyof Config): Setting<T>[] {
  return layers
    .filter((layer) => layer.values[name] !== undefined)
    .map((layer) => ({ value: layer.values[name] as T, layer }))
}

/** Which keys go with which provider. The first ones of a list, up to the null, cannot be missing. */
export const providers = {
  embedding: {
    none: [null],
    bundled: [null, 'threads'],
    onnx: ['folder', null, 'threads', 'queryPrefix', 'passagePrefix'],
    'openai-compatible': [
      'baseUrl',
      'model',
      'dimensions',
      null,
      'keyFrom',
      'queryPrefix',
      'passagePrefix',
      'requestsPerMinute',
    ],
  },
  rerank: {
    none: [null],
    endpoint: ['shape', 'baseUrl', 'model', null, 'keyFrom'],
    onnx: ['folder', null],
    'second-stage': [null],
  },
} as const satisfies Record<string, Record<string, readonly (string | null)[]>>

export type Provided = keyof typeof providers

export function goesWith(group: Provided, provider: string): readonly (string | null)[] {
  return (providers[group] as Record<string, readonly (string | null)[]>)[provider] ?? []
}

// A layer that names another provider starts afresh: values that a weaker layer set for its own provider no longer count.
// And an API key stays with its server: a project that names another server does not get the user's key.
function outdated(layers: readonly Layer[], layer: Layer, { path: [group = '', name = ''] }: Key): boolean {
  if ((group !== 'embedding' && group !== 'rerank') || name === 'provider') return false
  const stronger = layers.slice(layers.indexOf(layer) + 1)
  const provider = stronger.findLast((one) => one.values[group]?.provider !== undefined)?.values[group]
    ?.provider
  const own = layers.slice(0, layers.indexOf(layer) + 1).findLast((one) => one.values[group]?.provider)
  if (provider !== undefined) {
    if (own && own.values[group]?.provider !== provider) return true
    if (!goesWith(group, provider).includes(name)) return true
  }
  return name === 'keyFrom' && layer.whose === 'user' && stronger.some((one) => namesServer(one, group))
}

function namesServer(layer: Layer, group: Provided): boolean {
  return layer.whose === 'project' && layer.values[group]?.baseUrl !== undefined
}

function valueIn(layer: Layer, { path }: Key): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<string, unknown> | undefined)?.[step],
    layer.values,
  )
}
