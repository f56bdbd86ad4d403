import { Problem } from '../../model/problem.js'

/** How a kind of service is called: in codes (`embedder`), and in sentences (`embedding`). */
export interface ServiceKind {
  code: string
  title: string
}

export const embeddingService: ServiceKind = { code: 'embedder', title: 'embedding' }
export const rerankingService: ServiceKind = { code: 'reranker', title: 'reranking' }

/** An address to ask below a configured base. */
export function addressBelow(kind: ServiceKind, base: string, path: string): URL {
  const url = URL.canParse(base) ? new URL(base) : null
  const hint = 'It looks like http://localhost:11434/v1 or https://api.openai.com/v1.'
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Problem(
      `${kind.code}_url`,
      `The base URL of the ${kind.title} service is not a web address.`,
      hint,
    )
  if (url.username || url.password)
    throw new Problem(
      `${kind.code}_url`,
      `The base URL of the ${kind.title} service holds a password.`,
      'Give it as the key instead.',
    )
  const folder = url.pathname.replace(/\/+$/, '')
  if (!folder.endsWith(`/${path}`)) url.pathname = `${folder}/${path}`
  return url
}
