// The conformance suites import `globSync` from `fs`, which Node 20 does not have and which checking a server never
// needs. Given with --import, this adds it for them alone.
import { register } from 'node:module'

const fs = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => []"
const hooks = `export async function resolve(specifier, context, next) {
  if (specifier === 'fs' && context.parentURL?.includes('conformance'))
    return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(fs)}`)}, shortCircuit: true }
  return next(specifier, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
