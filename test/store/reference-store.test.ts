import { storeHistories } from '../contract/histories.js'
import { storeContract } from '../contract/store.js'
import { referenceStore } from '../support/reference-store.js'

async function open() {
  const store = referenceStore()
  return { store, reopen: async () => store, close: () => store.close(), another: async () => store }
}

storeContract('reference', open)
storeHistories('reference', open, 4)
