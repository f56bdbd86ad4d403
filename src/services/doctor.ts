import type { Settings } from '../model/settings.js'

export interface Check {
  name: string
  state: 'ok' | 'warning' | 'failed' | 'repaired'
  message: string
  hint?: string
}

/** Looks at everything Carrel needs. With `repair`, mends what it can: never without keeping the old file. */
export async function doctor(_settings: Settings, _options: { repair?: boolean }): Promise<Check[]> {
  throw new Error('pending')
}
