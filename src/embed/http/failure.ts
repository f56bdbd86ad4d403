// What went wrong with a request, in words that say what to do. The key must never show in them.
import { Problem } from '../../model/problem.js'
import { retryDelay } from './retry.js'

export interface Failure {
  problem: Problem
  /** Whether the same request may succeed later. */
  retry: boolean
  /** How long the service asked to wait. */
  after?: number | null
  /** Whether it speaks against the service as a whole rather than this request. */
  down: boolean
}

/** What messages call the service, and what they must not tell. */
export interface Named {
  /** The first part of every code: `embedder` or `reranker`. */
  code: string
  /** As in "The embedding service at …". */
  title: string
  model: string
  secrets: readonly string[]
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export function failureOf(service: Named, answer: Answer): Failure {
  const { status } = answer
  const detail = detailOf(service, answer.text)
  const fail = (code: string, message: string, hint?: string): Failure => {
    return { problem: new Problem(`${service.code}_${code}`, message, hint), retry: false, down: false }
  }
  if (status === 401 || status === 403)
    return fail(
      'auth',
      `${service.title} refused the key (${status}).`,
      'Check that the key is right, complete and allowed to use this model.',
    )
  if (status === 402 || isQuota(answer))
    return fail(
      'quota',
      `${service.title} says that the account has no credit left.`,
      'Check the plan and billing of the account.',
    )
  if (isMissingModel(answer))
    return fail('model', `${service.title} has no model "${service.model}"${detail}`, modelHint(service))
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return fail(
      'url',
      `${service.title} has nothing at this address (${status}).`,
      'Check the base URL; it usually ends in /v1.',
    )
  if (isAboutDimensions(answer))
    return fail(
      'dimensions',
      `${service.title} does not give that number of dimensions${detail}`,
      "Set the dimensions to the model's own, and do not ask for others.",
    )
  if (isTooLong(answer)) return fail('too_long', `${service.title} finds a text too long${detail}`)
  if (status === 429) {
    const problem = new Problem(
      `${service.code}_limited`,
      `${service.title} is limiting requests (429).`,
      'It will be tried again later, and more slowly.',
    )
    return { problem, retry: true, after: retryDelay(answer.headers), down: false }
  }
  const problem = new Problem(`${service.code}_failed`, `${service.title} answered ${status}${detail}`)
  const passing = status >= 500 || status === 408 || status === 409 || status === 425
  return { problem, retry: passing, after: retryDelay(answer.headers), down: passing }
}

/** The connection failed, or the answer did not come in time. */
export function brokenConnection(service: Named, reason: string): Failure {
  const message = `${service.title} cannot be reached: ${withoutSecrets(service, reason)}.`
  const hint = 'Check that it is running and that the base URL is right.'
  return { problem: new Problem(`${service.code}_down`, message, hint), retry: true, down: true }
}

/** The answer arrived, and makes no sense. */
export function badAnswer(service: Named, what: string, hint?: string): Problem {
  return new Problem(`${service.code}_answer`, `${service.title} ${what}.`, hint)
}

export function withoutSecrets(service: Named, text: string): string {
  let clean = text
  for (const secret of service.secrets) if (secret.length > 3) clean = clean.replaceAll(secret, '…')
  return clean.replace(/bearer\s+\S+/gi, 'Bearer …')
}

// The service's own sentence, out of whichever shape it uses, short and on one line.
function detailOf(service: Named, text: string): string {
  const clean = withoutSecrets(service, sentenceIn(text))
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  if (clean === '' || clean.startsWith('<')) return '.'
  return `: ${clean.length > 200 ? `${clean.slice(0, 200)}…` : clean}`
}

function sentenceIn(text: string): string {
  try {
    const json = JSON.parse(text)
    const found = [json?.error?.message, json?.error, json?.message, json?.detail].find(
      (s) => typeof s === 'string',
    )
    return found ?? text
  } catch {
    return text
  }
}

function isQuota({ status, text }: Answer): boolean {
  return status === 429 && /insufficient_quota|billing|exceeded your current quota/i.test(text)
}

function isMissingModel({ status, text }: Answer): boolean {
  return (
    (status === 404 || status === 400) &&
    /model/i.test(text) &&
    /not[ _]found|does not exist|no such|unknown|invalid model|try pulling/i.test(text)
  )
}

function isAboutDimensions({ status, text }: Answer): boolean {
  return (status === 400 || status === 422) && /dimension|matryoshka/i.test(text)
}

function isTooLong({ status, text }: Answer): boolean {
  if (status === 413) return true
  return (
    (status === 400 || status === 422 || status === 500) &&
    /too long|too large|maximum (context|sequence|input)|context length|must have less than|exceeds? (the )?(max|context|available)|input length|physical batch size/i.test(
      text,
    )
  )
}

function modelHint(service: Named): string {
  return `Check the model's name. A local server may have to fetch it first, as with: ollama pull ${service.model}`
}
