// The role that `read_file` and the project's overview name, by a file's path alone.
import { fileRole } from '../../text/file-role.js'

export type Role =
  | 'core'
  | 'entry'
  | 'test'
  | 'types'
  | 'config'
  | 'documentation'
  | 'example'
  | 'script'
  | 'generated'
  | 'data'
  | 'style'

/** The role by the first rule that fits; `core` if none fits. */
export function roleOf(path: string): Role {
  const kind = fileRole(path)
  if (kind === 'test' || kind === 'fixture') return 'test'
  if (kind === 'generated') return 'generated'
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const folders = `/${path.slice(0, path.length - name.length).toLowerCase()}`
  return rules.find(({ file, folder }) => file?.test(name) || folder?.test(folders))?.role ?? 'core'
}

const rules: { role: Role; file?: RegExp; folder?: RegExp }[] = [
  {
    role: 'documentation',
    file: /\.(?:md|mdx|rst|adoc|txt)$|^(?:license|changelog|authors|notice)/,
    folder: /\/docs?\//,
  },
  { role: 'types', file: /\.d\.[mc]?ts$|\.pyi$|^types?\.[mc]?tsx?$/ },
  { role: 'example', folder: /\/(?:examples?|samples?|demos?)\// },
  {
    role: 'config',
    file: /^\.|\.config\.\w+$|\.(?:toml|ini|cfg|conf|properties|ya?ml|lock|editorconfig)$|^(?:package|tsconfig.*|jsconfig|biome|deno|composer|angular|nx|turbo|lerna)\.jsonc?$|^(?:makefile|dockerfile|containerfile|rakefile|gemfile|justfile|go\.(?:mod|sum|work)|build\.gradle(?:\.kts)?|pom\.xml|cmakelists\.txt|setup\.py)$/,
    folder: /\/(?:config|\.github|\.circleci)\//,
  },
  { role: 'script', file: /\.(?:sh|bash|zsh|fish|ps1|bat|cmd)$/, folder: /\/(?:scripts?|tools?|bin)\// },
  { role: 'style', file: /\.(?:css|scss|sass|less|styl)$/ },
  { role: 'data', file: /\.(?:json|jsonl|csv|tsv|xml|sql)$/ },
  { role: 'entry', file: /^(?:index|main|app|server|cli|__main__|__init__|mod|lib)\.\w+$/ },
]
