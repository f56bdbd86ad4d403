// Whether the documents of this project are kept in one store with those of other worktrees of its repository.
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { type Note, Problem } from '../../model/problem.js'
import type { SharedStore } from '../../model/settings.js'
import { readSmallFile } from '../../sources/safe-file.js'
import { gitFoldersOf, topOf } from '../../sources/tracked-files.js'
import { chooseDataFolder } from '../data-trust.js'
import type { InEffect, Setting } from './layers.js'
import { isWithin, locate } from './place.js'

interface Ground {
  root: string
  home: string
  /** The user's state folder. */
  state: string
  data: string
  /** Whether the user named the data folder, as with --data. */
  named: boolean
  outside: boolean
  notes: Note[]
}

/** Null: the project keeps its documents in its own data folder, as one that already has an index there does. */
export async function settleWorktrees(inEffect: InEffect, ground: Ground): Promise<SharedStore | null> {
  const setting = inEffect<string>('worktrees')
  const value = setting?.value ?? 'share'
  const top = topOf(ground.root)
  if (value === 'apart' || top === null) return null
  if (value !== 'share') return trusted(namedFolder(setting!, ground), top, ground)
  const common = ground.named ? null : commonFolder(top)
  if (common === null) return null
  const { hasDocuments } = await import('../../store/sqlite/has-documents.js')
  if (hasDocuments(ground.data)) return null
  const shared = await trusted(join(common, 'carrel'), top, ground)
  if (shared === null || basename(common) !== '.git' || dirname(common) === top) return shared
  const main = { top: dirname(common), data: join(dirname(common), '.carrel') }
  const { trust } = await chooseDataFolder(main.data, { root: main.top, state: ground.state, named: false })
  return trust.untrusted === null && hasDocuments(main.data) ? { ...shared, main } : shared
}

/** Clones share a folder that the user names. */
function namedFolder({ value, layer }: Setting<string>, { root, home, outside }: Ground): string {
  const folder = locate(value, { root, home })
  if (layer.whose !== 'project' || outside || isWithin(root, folder)) return folder
  throw new Problem(
    'bad_configuration',
    `"worktrees" (${layer.where(['worktrees'])}) names a folder outside the root.`,
    'Name it in your own configuration file, with --set worktrees=DIR, or allow it with --allow-outside.',
  )
}

/**
 * The git directory that all worktrees of the repository have in common, if there are several and it can be written. A file
 * `.git` can name any directory, so the worktree must be registered there: git wrote that, not the project.
 */
function commonFolder(top: string): string | null {
  const folders = gitFoldersOf(top)
  if (folders === null) return null
  const common = dirname(folders.info)
  try {
    const isMain = realpathSync.native(common) === join(top, '.git')
    if (!isMain && !isRegistered(folders.own, common, top)) return null
    const linked = join(common, 'worktrees')
    if (!existsSync(linked) || readdirSync(linked).length === 0) return null
    accessSync(common, constants.W_OK)
    return realpathSync.native(common)
  } catch {
    return null
  }
}

function isRegistered(own: string, common: string, top: string): boolean {
  const real = realpathSync.native(own)
  if (dirname(real) !== join(realpathSync.native(common), 'worktrees')) return false
  const read = readSmallFile(join(real, 'gitdir'), 10_000)
  const file = 'text' in read ? read.text.trim() : ''
  return isAbsolute(file) && basename(file) === '.git' && realpathSync.native(dirname(file)) === top
}

/** The folder, if this user made it on this machine or it does not exist yet. */
async function trusted(folder: string, top: string, { state, notes }: Ground): Promise<SharedStore | null> {
  const { trust } = await chooseDataFolder(folder, { root: top, state, named: false })
  if (trust.untrusted === null) return { folder, top }
  const message = `The folder ${folder}, which worktrees share, is not known to be yours. This one keeps its own index; remove that folder to share again.`
  notes.push({ code: 'worktrees_apart', message })
  return null
}
