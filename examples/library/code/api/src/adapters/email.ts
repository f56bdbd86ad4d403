import type { ChannelPort, DeliveryResult, RenderedMessage } from '../domain/ports.js'

/** The little we need from an SMTP library. */
export interface SmtpTransport {
  submit(message: RenderedMessage): Promise<{ code: number; text: string }>
}

const HARD_BOUNCE_CODES = new Set([550, 551, 553])

export function emailChannel(transport: SmtpTransport): ChannelPort {
  return {
    name: 'email',
    deliver: async (message) => interpretReply(await transport.submit(message)),
  }
}

/** 2xx is delivered, 4xx comes again, a hard bounce never does. */
export function interpretReply(reply: { code: number; text: string }): DeliveryResult {
  const reason = `${reply.code} ${reply.text}`
  if (reply.code >= 200 && reply.code < 300) return { outcome: 'delivered', receipt: reply.text }
  if (HARD_BOUNCE_CODES.has(reply.code)) return { outcome: 'refused', reason }
  return { outcome: 'deferred', reason }
}
