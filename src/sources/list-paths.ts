// The paths of all files that a text search covers, in order.
import { excludedPaths } from './excluded-paths.js'
import { always, everyFile } from './grep.js'
import { isNeverListed } from './path-rules.js'
import { plainPath, run } from './ripgrep.js'

export async function listPaths(root: string, signal?: AbortSignal): Promise<string[]> {
  const query = { root, pattern: '', caseSensitive: true, limit: 0, signal }
  const over = await excludedPaths(root, signal)
  const parts: Buffer[] = []
  const args = [...always, '--files', '--null', ...everyFile(query, { glob: null, over }), './']
  await run(query, args, async (stdout) => {
    for await (const part of stdout) parts.push(part)
  })
  const paths = Buffer.concat(parts).toString('utf8').split('\0').filter(Boolean).map(plainPath)
  return paths.filter((path) => over.keeps(path) && !isNeverListed(path)).sort()
}
