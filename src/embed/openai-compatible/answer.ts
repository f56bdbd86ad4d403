// Reads vectors out of an answer, believing nothing: the number of them, their order, size and values are checked.
import { Problem } from '../../model/problem.js'
import { toUnit } from '../arithmetic.js'
import { badAnswer, type Named } from '../http/failure.js'

export function readVectors(
  service: Named,
  answer: unknown,
  expected: { count: number; dimensions: number },
): Float32Array[] {
  const items = itemsOf(answer)
  if (!items)
    throw badAnswer(
      service,
      'answered without embeddings',
      'Check that the base URL is that of an OpenAI-compatible API.',
    )
  if (items.length !== expected.count)
    throw badAnswer(service, `gave ${items.length} vectors for ${expected.count} texts`)
  return inOrder(service, items).map((item) => readVector(service, item.embedding, expected.dimensions))
}

interface Item {
  index?: unknown
  embedding?: unknown
}

function itemsOf(answer: unknown): Item[] | null {
  const data = (answer as { data?: unknown } | null)?.data
  return Array.isArray(data) && data.every((item) => typeof item === 'object' && item !== null) ? data : null
}

// By the index of each; a service that gives none is taken to answer in order.
function inOrder(service: Named, items: Item[]): Item[] {
  if (items.every((item) => item.index === undefined)) return items
  const sorted: Item[] = new Array(items.length)
  for (const item of items) if (Number.isInteger(item.index)) sorted[item.index as number] = item
  if (sorted.length === items.length && Object.keys(sorted).length === items.length) return sorted
  throw badAnswer(service, 'did not say which vector belongs to which text')
}

function readVector(service: Named, embedding: unknown, dimensions: number): Float32Array {
  const vector = fromNumbers(embedding)
  if (!vector) throw badAnswer(service, 'gave a vector with something in it that is not a number')
  if (vector.length !== dimensions) throw wrongSize(service, vector.length, dimensions)
  const unit = toUnit(vector)
  if (!unit) throw badAnswer(service, 'gave a vector without a direction (only zeros, or not numbers)')
  return unit
}

function fromNumbers(embedding: unknown): Float32Array | null {
  if (!Array.isArray(embedding) || !embedding.every((value) => typeof value === 'number')) return null
  return Float32Array.from(embedding)
}

function wrongSize(service: Named, size: number, dimensions: number): Problem {
  const message = `${service.title} gave vectors of ${size} dimensions where ${dimensions} are configured.`
  const hint = `Set the dimensions to ${size}, or choose another model than "${service.model}".`
  return new Problem(`${service.code}_dimensions`, message, hint)
}
