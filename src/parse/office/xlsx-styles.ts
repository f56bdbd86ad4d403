// The shared parts of a workbook: its strings, and the formats that mark numbers as dates.
import { readXml, xmlText } from './xml.js'

/** `[h]:mm`, `[mm]:ss` and `[s]` are durations: the unit in brackets may exceed a day. */
const durations = { hours: 3600, minutes: 60, seconds: 1 } as const

export type CellStyle = 'number' | 'percent' | 'date' | 'time' | keyof typeof durations

/** Texts by number. Rich text is joined; phonetic readings are left out. */
export function sharedStrings(bytes: Uint8Array | null): string[] {
  const strings: string[] = []
  let text = ''
  let reads = false
  let phonetic = 0
  if (!bytes) return strings
  readXml(xmlText(bytes), {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic++
      else if (name === 't') reads = phonetic === 0
    },
    text(more) {
      if (reads) text += more
    },
    close(name) {
      if (name === 't') reads = false
      else if (name === 'rPh') phonetic--
      else if (name === 'si') strings.push(unescaped(text))
    },
  })
  return strings
}

/** Characters that XML cannot hold are written as `_x000D_`, and a literal underscore before such a code as `_x005F_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code) => {
    const unit = Number.parseInt(code, 16)
    return unit < 32 ? (unit === 10 ? '\n' : ' ') : String.fromCharCode(unit)
  })
}

/** The kind of each cell style, by its number. */
export function readStyles(bytes: Uint8Array | null): CellStyle[] {
  const styles: CellStyle[] = []
  const codes = new Map<number, string>()
  let inCells = false
  if (!bytes) return styles
  readXml(xmlText(bytes), {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) styles.push(styleOf(Number(attributes.numFmtId) || 0, codes))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

// The formats every program knows by number; the others are written out.
function styleOf(id: number, codes: Map<number, string>): CellStyle {
  if (id === 9 || id === 10) return 'percent'
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58))
    return 'date'
  if (id === 46) return 'hours'
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)) return 'time'
  return styleOfCode(codes.get(id) ?? '')
}

function styleOfCode(code: string): CellStyle {
  const bare = code.slice(0, 200).replace(/"[^"]*"|\\.|_.|\*./g, '')
  const signs = bare.replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  if (/general/i.test(signs)) return 'number'
  const counted = /\[([hms])\1*\]/i.exec(signs)?.[1]?.toLowerCase()
  if (counted) return counted === 'h' ? 'hours' : counted === 'm' ? 'minutes' : 'seconds'
  if (/[dy]/i.test(signs) || /m{3,}/i.test(signs)) return 'date'
  if (/[hs]/i.test(signs)) return 'time'
  return signs.includes('%') ? 'percent' : 'number'
}

export function valueText(value: number, style: CellStyle, since1904: boolean): string {
  switch (style) {
    case 'number':
      return numberText(value)
    case 'percent':
      return `${numberText(value * 100)}%`
    case 'date':
    case 'time':
      return dateText(value, style, since1904)
    default:
      return durationText(value, style)
  }
}

/** Without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
function numberText(value: number): string {
  return String(Number(value.toPrecision(15)))
}

/** A duration: 37:30 is hours and minutes, with seconds if there are any. */
function durationText(value: number, style: keyof typeof durations): string {
  const seconds = Math.round(Math.abs(value) * 86_400)
  if (!Number.isSafeInteger(seconds)) return numberText(value)
  const counted = Math.floor(seconds / durations[style])
  const rest = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'))
  const after =
    style === 'hours' ? rest.slice(0, rest[1] === '00' ? 1 : 2) : style === 'minutes' ? rest.slice(1) : []
  return `${value < 0 && seconds > 0 ? '-' : ''}${[counted, ...after].join(':')}`
}

const dayMs = 86_400_000
/** Day 0 of the two calendars; the first one counts a 29 February 1900 that never was. */
const epochs = { since1900: Date.UTC(1899, 11, 30), since1904: Date.UTC(1904, 0, 1) }

export function dateText(value: number, style: 'date' | 'time', since1904: boolean): string {
  const days = !since1904 && value >= 1 && value < 60 ? value + 1 : value
  const at = new Date(
    (since1904 ? epochs.since1904 : epochs.since1900) + Math.round((days * dayMs) / 1000) * 1000,
  )
  if (value < 0 || Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999) return numberText(value)
  const [date, time] = at.toISOString().slice(0, 19).split('T') as [string, string]
  const clock = time.replace(/:00$/, '')
  if (style === 'time' && value < 1) return clock
  return value % 1 === 0 ? date : `${date} ${clock}`
}
