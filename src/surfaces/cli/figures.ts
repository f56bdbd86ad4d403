// Figures as people read them.
import { counted } from '../../text/counted.js'

/** `12,345` */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** `812 bytes`, `3.4 MB` */
export function bytes(value: number): string {
  if (value < 1000) return counted(value, 'byte')
  const power = Math.min(4, Math.floor(Math.log10(value) / 3))
  return `${short(value / 1000 ** power)} ${['', 'kB', 'MB', 'GB', 'TB'][power]}`
}

/** `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 4 min` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${short(ms / 1000)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${count(Math.floor(seconds / 3600))} h ${Math.floor((seconds % 3600) / 60)} min`
}

function short(value: number): string {
  return value < 9.95 ? value.toFixed(1) : count(value)
}
