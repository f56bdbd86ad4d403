import { storeHistories } from '../../test/contract/histories.js'
import { storeContract } from '../../test/contract/store.js'
import { referenceStore } from './reference.js'

async function open() {
  const store = referenceStore()
  return { store, reopen: async () => store, close: () => store.close(), another: async () => store }
}

storeContract('reference', open)
storeHistories('reference', open, 4)
