import { hashOf } from '../text/hash.js'

/** The name of a vector space. Words put before every passage change the vectors, and so they change the name. */
export function spaceName(model: string, passagePrefix: string): string {
  return passagePrefix === '' ? model : `${model}+${hashOf(passagePrefix).slice(0, 8)}`
}
