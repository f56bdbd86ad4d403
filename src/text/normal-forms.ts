// Unicode writes a letter with an accent in two ways, as one character or as a letter and a mark. People type the first;
// macOS and archives made there may have named a file in the second, and both look the same.

const most = 32
const longest = 4_096

/** A path as it may be written on disk: as it stands first, then with either way in every part. */
export function normalForms(path: string): string[] {
  if (path.length > longest || isPlain(path)) return [path]
  let done = ['']
  for (const [i, part] of path.split('/').entries()) {
    const forms = done.length < most ? formsOf(part) : [part]
    done = done.flatMap((before) => forms.map((form) => (i === 0 ? form : `${before}/${form}`)))
  }
  return [...new Set([path, ...done])]
}

function formsOf(part: string): string[] {
  return [...new Set([part.normalize('NFC'), part.normalize('NFD')])]
}

function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}
