import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runBackgroundWork } from '../../src/app/background.js'
import { world } from '../support/world.js'

test('background work begins on request', async (t) => {
  const { library } = await world(t, { 'a.md': '# A\n\nThe lantern is lit.\n' })
  const documents = async () => (await library.store.counts()).documents
  let begin = () => {}
  const after = new Promise<void>((resolve) => {
    begin = resolve
  })
  const live = runBackgroundWork(library, { after })
  await sleep(300)
  assert.equal(await documents(), 0)
  begin()
  await live.indexed
  assert.equal(await documents(), 1)
  await live.close()
})
