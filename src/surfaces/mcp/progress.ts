import type { ServerContext } from '@modelcontextprotocol/server'

/** What a client may be sent: no more often than this, and every figure larger than the one before. */
const leastMs = 250

export interface Progress {
  report(done: number, total?: number, message?: string): void
  /** Nothing is sent after this: the answer ends the matter. */
  end(): void
}

/** Thins out what a call reports. Clients that gave no token asked for no progress and get none. */
export function progressFor(request: ServerContext['mcpReq']): Progress {
  const progressToken = request._meta?.progressToken
  if (progressToken === undefined) return { report() {}, end() {} }
  let sent = Number.NEGATIVE_INFINITY
  let sentAt = Number.NEGATIVE_INFINITY
  let held: { progress: number; total?: number; message?: string } | undefined
  let timer: NodeJS.Timeout | undefined

  function send() {
    timer = undefined
    if (!held) return
    sent = held.progress
    sentAt = performance.now()
    const params = { progressToken, ...held }
    held = undefined
    request.notify({ method: 'notifications/progress', params }).catch(() => {})
  }

  return {
    report(done, total, message) {
      if (!Number.isFinite(done) || done <= sent || (held && done < held.progress)) return
      held = { progress: done, ...(total !== undefined && { total }), ...(message && { message }) }
      const wait = sentAt + leastMs - performance.now()
      if (wait <= 0) send()
      else timer ??= setTimeout(send, wait).unref()
    },
    end() {
      clearTimeout(timer)
      held = undefined
    },
  }
}
