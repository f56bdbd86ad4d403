// The labelled proposals, the invented records they are about, and the pairs the reading model was trained on: one archive, a
// file a line (`{ path, text }`, gzipped JSON lines). `npm run evals -- alignment-data unpack DIR` writes them out as files,
// `… pack DIR` makes the archive again after an edit.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'

const archive = fileURLToPath(new URL('../../evals/alignment-data.jsonl.gz', import.meta.url))

/** The files below a folder of the archive, by path. */
export function archivedFiles(folder = ''): Map<string, string> {
  const lines = gunzipSync(readFileSync(archive)).toString('utf8').split('\n').filter(Boolean)
  const files = lines.map((line) => JSON.parse(line) as { path: string; text: string })
  return new Map(files.filter(({ path }) => path.startsWith(folder)).map(({ path, text }) => [path, text]))
}

export function writeFiles(files: ReadonlyMap<string, string>, target: string) {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), text)
  }
}

function pack(folder: string) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
  const lines = paths.map((path) => JSON.stringify({ path, text: readFileSync(join(folder, path), 'utf8') }))
  writeFileSync(archive, gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [action, folder] = process.argv.slice(2)
  if (action === 'unpack' && folder) writeFiles(archivedFiles(), resolve(folder))
  else if (action === 'pack' && folder) pack(resolve(folder))
  else console.error('Usage: npm run evals -- alignment-data unpack|pack DIR')
}
