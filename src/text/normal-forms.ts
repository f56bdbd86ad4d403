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

/** A name for comparing: case and the two ways Unicode writes an accent make no difference. */
export function sameName(name: string): string {
  // A small sigma is another letter at the end of a word, and where a word ends is not told by `ΟΔΟΣ.md`.
  return small(name).replaceAll('ς', 'σ')
}

/** In small letters, of which that of İ is i: JavaScript makes it i and a dot above it, which nobody types. */
export function small(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll('i\u0307', 'i')
}
