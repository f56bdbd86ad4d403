// The one place that talks to the server, and the only one that knows the token.

/** A request that failed, with the server's sentence about the reason. */
export class Refused extends Error {
  /** @param {number} status 0 when there was no answer @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

const tokenKey = 'carrel-token'

/** Null for none any more. True when there was one before. @param {string | null} token */
export function keepToken(token) {
  const was = sessionStorage.getItem(tokenKey) !== null
  if (token === null) sessionStorage.removeItem(tokenKey)
  else sessionStorage.setItem(tokenKey, token)
  return was
}

/** @param {string} path @param {RequestInit} [options] */
export async function ask(path, options = {}) {
  const headers = new Headers(options.headers)
  const token = sessionStorage.getItem(tokenKey)
  if (token) headers.set('authorization', `Bearer ${token}`)
  try {
    const answer = await fetch(path, { ...options, headers, credentials: 'omit' })
    const value = await answer.json()
    if (answer.ok) return value
    throw new Refused(answer.status, sentence(value) ?? `The server answered ${answer.status}.`)
  } catch (error) {
    if (error instanceof Refused || options.signal?.aborted) throw error
    throw new Refused(0, 'The server does not answer. Is it still running?')
  }
}

/** The document tools report a miss as a sentence. @param {string} name @param {object} args @param {AbortSignal} signal */
export async function tool(name, args, signal) {
  const [body, headers] = [JSON.stringify(args), { 'content-type': 'application/json' }]
  const value = await ask(`/api/tools/${name}`, { method: 'POST', body, headers, signal })
  if (typeof value === 'string') throw new Refused(200, value)
  return value
}

/** Refusals have several forms; each holds a sentence. @param {any} value @returns {string | undefined} */
function sentence(value) {
  if (typeof value === 'string') return value
  return value ? (sentence(value.error) ?? sentence(value.message)) : undefined
}
