import { Problem } from '../../model/problem.js'
import type { Fetcher, FetcherOptions } from './fetch.js'

export function guardedFetcher(_options: FetcherOptions): Fetcher {
  throw new Problem('no_web', 'The web is not fetched yet.')
}
