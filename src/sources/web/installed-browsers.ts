import { posix, win32 } from 'node:path'

/** Where a Chrome or a kin of it is installed on systems whose programs are not on the PATH, the likeliest first. */
export function installedBrowsers(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  if (platform === 'darwin')
    return ['/Applications', posix.join(env.HOME ?? '/', 'Applications')].flatMap((folder) =>
      macApps.map((app) => posix.join(folder, `${app}.app`, 'Contents', 'MacOS', app)),
    )
  if (platform !== 'win32') return []
  const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((one) => one)
  return windowsPrograms.flatMap((program) => folders.map((folder) => win32.join(folder!, program)))
}

const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const windowsPrograms = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]
