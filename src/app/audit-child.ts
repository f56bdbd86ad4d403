// The process that looks an index over for `auditInProcess`.
import { Problem, reasonOf } from '../model/problem.js'
import { auditIndex } from '../store/sqlite/repair.js'
import type { Audited } from './audit.js'
import { isWhole } from './record-schemas.js'

process.once('message', (folder: string) => {
  process.send!(audit(folder), () => process.disconnect())
})

function audit(folder: string): Audited {
  try {
    return { damage: auditIndex(folder, isWhole) }
  } catch (error) {
    if (!(error instanceof Problem)) return { damage: [reasonOf(error)] }
    const { code, message, hint } = error
    return { problem: { code, message, hint } }
  }
}
