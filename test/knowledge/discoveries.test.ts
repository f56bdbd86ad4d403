// A discovery can be changed and deleted with manage_document.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allDiscoveries } from '../../src/answer/memory/records.js'
import { recordDiscovery } from '../../src/toolsets/context/record-discovery.js'
import { knowledgeWorld } from './kit.js'

test('manage_document changes the text of a discovery and deletes it, and what it replaced holds again', async (t) => {
  const w = await knowledgeWorld(t)
  const say = (content: string) => recordDiscovery(w.library, { type: 'rule', content, from: { by: 'tool' } })
  const old = await say('Use Redis for the sessions of the gateway')
  const now = await say('Use Postgres instead of Redis for the sessions of the gateway')
  assert.deepEqual(now.supersedes, [old.discovery.id])

  const id = `discoveries:${now.discovery.id}.md`
  const update = (fields: object) =>
    w.ask<Record<string, unknown>>('manage_document', { action: 'update', document_id: id, ...fields })
  const changed = await update({ content: 'Use Postgres 17 instead of Redis for the sessions' })
  assert.equal(changed.success, true, JSON.stringify(changed))
  const [content] = (await allDiscoveries(w.library))
    .filter((one) => one.id === now.discovery.id)
    .map((one) => one.content)
  assert.equal(content, 'Use Postgres 17 instead of Redis for the sessions')
  const refused = await update({ title: 'Another' })
  assert.match(String(refused.error), /only its content can be changed/)

  const deleted = await w.ask<Record<string, unknown>>('manage_document', {
    action: 'delete',
    document_id: id,
  })
  assert.equal(deleted.success, true, JSON.stringify(deleted))
  assert.deepEqual(
    (await allDiscoveries(w.library)).map((one) => [one.id, one.supersededBy]),
    [[old.discovery.id, null]],
  )
  const again = await w.ask<Record<string, unknown>>('manage_document', { action: 'delete', document_id: id })
  assert.equal(again.success, false)
})
