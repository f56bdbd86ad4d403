import { realpath } from 'node:fs/promises'

/** The data folder's real path, to be compared with others: it may be named by way of a link. */
export function realData(data: string): Promise<string> {
  return realpath(data).catch(() => data)
}
