import assert from 'node:assert/strict'
import { test } from 'node:test'
import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { world } from '../support/world.js'

const files = {
  'backup.md': '# Backups\n\nSave the database every night, and restore it when the disk fails.\n',
  'ferry.md': '# The ferry\n\nPassengers receive a reminder before the ferry leaves.\n',
  'hafen.md': '# Schichtwechsel\n\nDas Kühlwasser ist zu heiß.\n',
}

test('a question in another language finds English text, and the answer says so', async (t) => {
  const { library } = await world(t, { ...files })
  await indexAll(library, {})
  const ask = async (query: string) => {
    const { hits, notes } = await search(library, { query, mode: 'text' })
    const message = notes.find(({ code }) => code === 'translated' || code === 'corrected')?.message ?? null
    return [hits[0]?.document ?? null, message]
  }
  const cases = [
    ['Wie sichere ich die Datenbank?', 'backup.md', 'German'],
    ['Hilfe für die Datenbankwiederherstellung', 'backup.md', 'German'],
    ['Comment restaurer la base de donnees ?', 'backup.md', 'French'],
    ['¿Cómo restauro la base de datos?', 'backup.md', 'Spanish'],
    ['Como os passageiros recebem um lembrete?', 'ferry.md', 'Portuguese'],
    ['Напоминания для пассажиров', 'ferry.md', 'Russian'],
    ['如何恢复数据库？', 'backup.md', 'Chinese'],
    ['データベースを復元するには？', 'backup.md', 'Japanese'],
  ]
  for (const [query, first, language] of cases) {
    const [document, message] = await ask(query!)
    assert.equal(document, first, query)
    assert.match(message!, new RegExp(`^Searched for .+ \\(translated from ${language}\\)\\.$`), query)
  }
  for (const query of [
    'restore the database',
    'how do passengers recieve it',
    'configuraton',
    'kubernetes notification server',
    'zu heiß Kühlwasser',
    'Digrst mode',
    'Schlafenszeiten Nachtarbeiter',
    '"Datenbank sichern"',
  ])
    assert.doesNotMatch((await ask(query))[1] ?? '', /translated/, query)
})
