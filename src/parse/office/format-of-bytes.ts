// Recognises a file's format by its bytes, whatever its name.
import type { OfficeFormat } from '../formats.js'
import type { Zip } from './zip.js'
import { openZip } from './zip.js'

/** The recognised kinds. Those outside `OfficeFormat` are recognised to say why they are refused. */
export type FileKind =
  | OfficeFormat
  | 'odt'
  | 'rtf'
  | 'ole'
  | 'ole-encrypted'
  | 'zip'
  | 'html'
  | 'text'
  | 'binary'
  | 'empty'

/** By the first bytes, and for archives by the parts in them. Throws a Problem for an archive that is broken. */
export function formatOfBytes(bytes: Uint8Array): FileKind {
  if (bytes.length === 0) return 'empty'
  const top = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString('latin1')
  if (isPdf(top)) return 'pdf'
  if (top.startsWith('PK\x03\x04') || top.startsWith('PK\x05\x06')) return kindOfZip(openZip(bytes))
  if (top.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return isEncrypted(bytes) ? 'ole-encrypted' : 'ole'
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(top)) return 'rtf'
  if (/^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html)/i.test(top)) return 'html'
  return top.includes('\0') && !/^(?:\xff\xfe|\xfe\xff)/.test(top) ? 'binary' : 'text'
}

/** Mail gateways and web servers put lines before the signature; a text that only mentions it has no objects. */
function isPdf(top: string): boolean {
  return top.startsWith('%PDF-') || (top.includes('%PDF-') && /\d\s+\d+\s+obj\b/.test(top))
}

function kindOfZip(zip: Zip): FileKind {
  const declared = zip.names.includes('mimetype')
    ? Buffer.from(zip.bytes('mimetype')!).toString('latin1').trim()
    : ''
  if (declared === 'application/epub+zip' || zip.names.includes('META-INF/container.xml')) return 'epub'
  if (declared.startsWith('application/vnd.oasis.opendocument')) return 'odt'
  const has = (folder: string) => zip.names.some((name) => name.startsWith(folder))
  if (has('word/')) return 'docx'
  if (has('ppt/')) return 'pptx'
  if (has('xl/')) return 'xlsx'
  return 'zip'
}

/** Office stores a password-protected document as an old compound file with a stream of this name (in UTF-16). */
function isEncrypted(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return file.includes(Buffer.from('EncryptedPackage', 'utf16le'))
}
