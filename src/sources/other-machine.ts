import { win32 } from 'node:path'

/**
 * Whether an absolute path leads to a network share that contains none of the folders. On Windows, merely looking at a
 * share signs in there with the user's name and password.
 */
export function leadsElsewhere(
  path: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): boolean {
  const share = shareOf(path)
  return platform === 'win32' && share !== null && !folders.some((folder) => shareOf(folder) === share)
}

function shareOf(path: string): string | null {
  const { root } = win32.parse(win32.normalize(path))
  return root.startsWith('\\\\') ? root.toLowerCase() : null
}
