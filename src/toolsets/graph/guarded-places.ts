// Places whose files tell agents what to do, or make programs run: notes are not written there unless the user allows it.
// A note that says "run this first" must not become an instruction because a tool wrote it where agents read instructions.

import type { Library } from '../../answer/library.js'
import { Problem } from '../../model/problem.js'
import { plainPath } from '../../sources/plain-path.js'
import { idOf, type Spot } from './vaults.js'

/** Throws when a note at this place may not be created, changed, renamed or deleted by a tool. */
export function requireUnguarded({ settings }: Library, spot: Spot) {
  if (settings.allow.agentFiles) return
  const { vault, path } = spot
  // A source may be such a folder itself: `.claude` as a vault. Outside the root, only the user can have named it.
  const below = vault.below ? `${vault.below}/${path}` : path
  const rule = guardedBy(below)
  if (rule === null) return
  throw new Problem(
    'invalid_params',
    `${idOf(spot)} is not written: ${rule}.`,
    'Choose another folder or title. The user can allow it with --allow-agent-files (CARREL_ALLOW_AGENT_FILES=1). Nothing was changed.',
  )
}

/** Why a path relative to the project is guarded; null when it is not. */
export function guardedBy(path: string): string | null {
  const segments = path
    .split('/')
    .map(plainPath)
    .filter((segment) => segment !== '' && segment !== '.')
  const folder = segments.slice(0, -1).find(isGuardedFolder)
  if (folder !== undefined) return `files in "${folder}" configure programs or instruct agents`
  const name = segments.at(-1) ?? ''
  return agentFile.test(name) ? `agents take their instructions from "${name}"` : null
}

function isGuardedFolder(folder: string): boolean {
  return folder.startsWith('.git') || guardedFolders.has(folder)
}

const guardedFolders: ReadonlySet<string> = new Set([
  // Agents' rules, commands, skills and settings.
  ...[
    '.claude',
    '.cursor',
    '.windsurf',
    '.codex',
    '.gemini',
    '.agent',
    '.agents',
    '.aider',
    '.amazonq',
    '.augment',
  ],
  ...[
    '.clinerules',
    '.cline',
    '.continue',
    '.copilot',
    '.junie',
    '.kilocode',
    '.kiro',
    '.mcp',
    '.opencode',
    '.qwen',
  ],
  ...['.roo', '.trae', '.zed', '.ai'],
  // Editors, hooks and builds run the files that they find here.
  ...[
    '.vscode',
    '.idea',
    '.fleet',
    '.devcontainer',
    '.husky',
    '.lefthook',
    '.hooks',
    '.circleci',
    '.buildkite',
  ],
  ...['.gitea', '.forgejo', '.woodpecker', '.config', '.yarn', '.cargo', '.direnv', '.envrc.d'],
  ...['githooks', 'git-hooks', 'git_hooks'],
])

const agentFile = /^(?:claude(?:\.local)?|agents(?:\.override)?|gemini|copilot-instructions)\.[a-z]+$/
