import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { Problem } from '../model/problem.js'

/**
 * The user's home folder. If the environment names none (HOME is empty or relative), the system's user database does: the
 * user's files must never be read or written in the current folder by mistake.
 */
export function homeFolder(): string {
  try {
    const named = homedir()
    return isAbsolute(named) ? named : userInfo().homedir
  } catch (cause) {
    throw new Problem('usage', 'The home folder of this user is not known.', 'Set HOME to it.', { cause })
  }
}

/** The folder for what can be made again, shared by all projects of the user. */
export function cacheFolder(): string {
  const shared = process.env.XDG_CACHE_HOME
  return join(shared && isAbsolute(shared) ? shared : join(homeFolder(), '.cache'), 'carrel')
}
