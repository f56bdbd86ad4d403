import type { Scope } from '../../model/scope.js'
import type { Source } from '../../model/source.js'

export const discoveriesSource = 'discoveries'

export const sessionsSource = 'sessions'

/** Whether a name is one that the project's memory goes by, or will once something is recorded. */
export function isMemoryName(name: string): boolean {
  return [discoveriesSource, sessionsSource].includes(name.toLowerCase())
}

/** Everything but sessions: those are found where they are asked for, and would be an echo anywhere else. */
export function withoutSessions(sources: readonly Source[]): Scope {
  const others = sources.filter(({ id, kind }) => !(kind === 'memory' && id === sessionsSource))
  return others.length === sources.length ? {} : { sources: others.map(({ id }) => id) }
}
