// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are the clients' own, and they fill them in.
// The file in which each client lists its servers, and the form of an entry.
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

export const clientNames = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'windsurf',
  'zed',
  'opencode',
] as const

export type ClientName = (typeof clientNames)[number]

export interface Place {
  home: string
  cwd: string
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
}

/** How the client reaches the server: by starting it, or at a url, with or without a token from the environment. */
export type Reach = { command: string; args: string[] } | { url: string; token: boolean }

export interface ClientDefinition {
  title: string
  /** The file for one project; without it the client only knows the user's own. */
  project?: (place: Place) => string
  user: (place: Place) => string
  /** The default scope. */
  usual: 'project' | 'user'
  format: 'json' | 'toml'
  /** The path of the servers within the file. */
  container: string[]
  entry(reach: Reach): Record<string, unknown>
  /** Words for the project's folder in arguments, where the client has them. */
  folder?: string
  /** The client starts the server in the folder of the session, so that no folder need be named. */
  startsInProject?: true
  /** Why an address cannot be written down, if so. */
  noAddress?: string
}

/** Keys that are ours in an entry; whatever else is there belongs to the user. */
export const ownKeys = [
  'type',
  'command',
  'args',
  'url',
  'httpUrl',
  'serverUrl',
  'headers',
  'enabled',
  'bearer_token_env_var',
]

export const clients: Record<ClientName, ClientDefinition> = {
  'claude-code': {
    title: 'Claude Code',
    project: ({ cwd }) => join(cwd, '.mcp.json'),
    user: ({ home }) => join(home, '.claude.json'),
    usual: 'project',
    startsInProject: true,
    format: 'json',
    container: ['mcpServers'],
    entry: (reach) =>
      'url' in reach
        ? { type: 'http', url: reach.url, ...headers(reach, '${CARREL_TOKEN}') }
        : { type: 'stdio', command: reach.command, args: reach.args },
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    user: (place) => join(applicationFolder(place, 'Claude'), 'claude_desktop_config.json'),
    usual: 'user',
    format: 'json',
    container: ['mcpServers'],
    entry: processOnly,
    noAddress: 'Claude Desktop takes addresses in its settings under Connectors, not in its file.',
  },
  cursor: {
    title: 'Cursor',
    project: ({ cwd }) => join(cwd, '.cursor', 'mcp.json'),
    user: ({ home }) => join(home, '.cursor', 'mcp.json'),
    usual: 'project',
    format: 'json',
    container: ['mcpServers'],
    folder: '${workspaceFolder}',
    entry: (reach) =>
      'url' in reach ? { url: reach.url, ...headers(reach, '${env:CARREL_TOKEN}') } : processOnly(reach),
  },
  vscode: {
    title: 'VS Code',
    project: ({ cwd }) => join(cwd, '.vscode', 'mcp.json'),
    user: (place) => join(applicationFolder(place, 'Code'), 'User', 'mcp.json'),
    usual: 'project',
    format: 'json',
    container: ['servers'],
    folder: '${workspaceFolder}',
    entry: (reach) =>
      'url' in reach
        ? { type: 'http', url: reach.url, ...headers(reach, '${env:CARREL_TOKEN}') }
        : { type: 'stdio', command: reach.command, args: reach.args },
  },
  codex: {
    title: 'Codex',
    project: ({ cwd }) => join(cwd, '.codex', 'config.toml'),
    user: ({ home, env }) => join(named(env.CODEX_HOME) ?? join(home, '.codex'), 'config.toml'),
    usual: 'user',
    startsInProject: true,
    format: 'toml',
    container: ['mcp_servers'],
    entry: (reach) =>
      'url' in reach
        ? { url: reach.url, ...(reach.token && { bearer_token_env_var: 'CARREL_TOKEN' }) }
        : processOnly(reach),
  },
  gemini: {
    title: 'Gemini CLI',
    project: ({ cwd }) => join(cwd, '.gemini', 'settings.json'),
    user: ({ home }) => join(home, '.gemini', 'settings.json'),
    usual: 'project',
    startsInProject: true,
    format: 'json',
    container: ['mcpServers'],
    entry: (reach) =>
      'url' in reach ? { httpUrl: reach.url, ...headers(reach, '$CARREL_TOKEN') } : processOnly(reach),
  },
  windsurf: {
    title: 'Windsurf',
    user: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    usual: 'user',
    format: 'json',
    container: ['mcpServers'],
    entry: (reach) =>
      'url' in reach
        ? { serverUrl: reach.url, ...headers(reach, '${env:CARREL_TOKEN}') }
        : processOnly(reach),
  },
  zed: {
    title: 'Zed',
    project: ({ cwd }) => join(cwd, '.zed', 'settings.json'),
    user: (place) => join(zedFolder(place), 'settings.json'),
    usual: 'user',
    format: 'json',
    container: ['context_servers'],
    entry: (reach) => ('url' in reach ? { url: reach.url, ...headers(reach, 'TOKEN') } : processOnly(reach)),
  },
  opencode: {
    title: 'opencode',
    project: ({ cwd }) => either(join(cwd, 'opencode.json'), join(cwd, 'opencode.jsonc')),
    user: (place) => {
      const folder = join(configFolder(place), 'opencode')
      return either(join(folder, 'opencode.json'), join(folder, 'opencode.jsonc'))
    },
    usual: 'project',
    startsInProject: true,
    format: 'json',
    container: ['mcp'],
    entry: (reach) =>
      'url' in reach
        ? { type: 'remote', url: reach.url, ...headers(reach, '{env:CARREL_TOKEN}'), enabled: true }
        : { type: 'local', command: [reach.command, ...reach.args], enabled: true },
  },
}

function processOnly(reach: Reach): Record<string, unknown> {
  return 'command' in reach ? { command: reach.command, args: reach.args } : {}
}

function headers({ token }: { token: boolean }, variable: string) {
  return token ? { headers: { Authorization: `Bearer ${variable}` } } : {}
}

function applicationFolder({ home, platform, env }: Place, name: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name)
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), name)
  return join(configFolder({ home, env }), name)
}

function zedFolder({ home, platform, env }: Place): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Zed')
  return join(platform === 'linux' ? configFolder({ home, env }) : join(home, '.config'), 'zed')
}

function configFolder({ home, env }: Pick<Place, 'home' | 'env'>): string {
  return named(env.XDG_CONFIG_HOME) ?? join(home, '.config')
}

/** A folder that a variable names. An empty or relative one would mean whatever folder the command was typed in. */
function named(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined
}

function either(usual: string, other: string): string {
  return !existsSync(usual) && existsSync(other) ? other : usual
}
