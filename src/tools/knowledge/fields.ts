// What the knowledge tools have in common.
import type { Library } from '../../services/library.js'

/** What these tools work on. */
export interface KnowledgeServices {
  library: Library
}
