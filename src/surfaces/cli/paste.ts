// What a person pastes into a client to reach a running server: the same in the terminal and on the page.

export interface Snippet {
  client: string
  text: string
}

export function snippets(url: string, { token }: { token: boolean }): Snippet[] {
  const shell = token ? ' --header "Authorization: Bearer $CARREL_TOKEN"' : ''
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the client puts the variable in
  const headers = token ? ', "headers": { "Authorization": "Bearer ${env:CARREL_TOKEN}" }' : ''
  const codex = token ? '\nbearer_token_env_var = "CARREL_TOKEN"' : ''
  return [
    { client: 'Claude Code', text: `claude mcp add --transport http carrel ${url}/mcp/desk${shell}` },
    { client: 'Cursor, …', text: `{ "mcpServers": { "carrel": { "url": "${url}/mcp/desk"${headers} } } }` },
    {
      client: 'VS Code',
      text: `{ "servers": { "carrel": { "type": "http", "url": "${url}/mcp/desk"${headers} } } }`,
    },
    { client: 'Codex', text: `[mcp_servers.carrel]\nurl = "${url}/mcp/desk"${codex}` },
  ]
}
