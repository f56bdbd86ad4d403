// Embeds slowly and says so after each batch, until it is killed.

import { fillVectors } from '../../src/answer/vectors.js'
import { openLibrary } from '../../src/app/open.js'
import { fakeEmbedder } from '../support/fake-embedder.js'
import { settingsFor } from '../support/world.js'

const fake = fakeEmbedder()
const library = await openLibrary(settingsFor(process.argv[2]!))
const embedder = {
  ...fake,
  async embed(...given: Parameters<typeof fake.embed>) {
    process.stdout.write('batch\n')
    await new Promise((resolve) => setTimeout(resolve, 20))
    return fake.embed(...given)
  },
}
await fillVectors({ ...library, embedder }, {})
