// Writes docs/reference/ from the program itself: tools, commands, configuration, codes, the HTTP API, metrics, environment
// variables. With --check, only says whether the pages are up to date; with --compiled, compiles nothing first.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, say, setUp } from './setup.mjs'

if (!process.argv.includes('--compiled')) setUp()
const from = (path) => import(pathToFileURL(join(root, 'dist', path)).href)
const { referencePages } = await from('test/docs/reference-pages.js')
const { toolsets } = await from('src/toolsets/all.js')
const folder = join(root, 'docs/reference')
const [index, ...tools] = await referencePages(toolsets, undefined)
const others = [
  ['commands.md', 'Commands', 'Every command with its arguments and options.', await commandsPage()],
  [
    'configuration.md',
    'Configuration',
    'Every key of `carrel.json`, with its default.',
    await configurationPage(),
  ],
  ['environment.md', 'Environment variables', 'Every variable that Carrel reads.', await environmentPage()],
  ['codes.md', 'Error and note codes', 'What each code means, and what to do.', await codesPage()],
  ['http.md', 'HTTP API', 'The addresses of `carrel serve`.', await httpPage()],
  ['metrics.md', 'Metrics', 'What `/metrics` reports.', await metricsPage()],
]
// Written by hand: what counts as what.
const details = 'details.md'
const links = others.map(([file, title, purpose]) => `- [${title}](${file}): ${purpose}`).join('\n')
const more = `- [Details](${details}): What counts as a link, a phrase, a rule or a secret file.`
const pages = [
  {
    file: index.file,
    text: index.text.replace(
      /^# Tools\n\n(.*)\n/,
      (_, note) => `# Reference\n\n${note}\n\n${links}\n${more}\n`,
    ),
  },
  ...tools,
  ...others.map(([file, title, purpose, body]) => ({
    file,
    text: `# ${title}\n\n${purpose}\n\n${body.trim()}\n`,
  })),
]

const stale = pages.filter(({ file, text }) => {
  const path = join(folder, file)
  return !existsSync(path) || readFileSync(path, 'utf8') !== text
})
const extra = readdirSync(folder).filter(
  (name) => name !== details && !pages.some(({ file }) => file === name),
)
if (process.argv.includes('--check')) {
  for (const file of [...stale.map((page) => page.file), ...extra])
    say(`docs/reference/${file} is out of date. Run: node scripts/reference.mjs`)
  process.exit(stale.length + extra.length ? 1 : 0)
}
mkdirSync(folder, { recursive: true })
for (const { file, text } of stale) writeFileSync(join(folder, file), text)
for (const file of extra) rmSync(join(folder, file))
say(`${pages.length} pages, ${stale.length} written, ${extra.length} removed.`)

async function commandsPage() {
  const { buildProgram } = await from('src/surfaces/cli/program.js')
  const output = { write() {} }
  const program = buildProgram({ version: '', out: output, err: output })
  return [
    '`carrel COMMAND --help` prints the same.',
    '## Options of every command',
    optionTable(program),
    ...program.commands.flatMap((command) => commandSection(command, '##')),
  ].join('\n\n')
}

function commandSection(command, level) {
  const parents = command.parent?.parent ? [command.parent.name()] : []
  const name = ['carrel', ...parents, command.name()].join(' ')
  const [, does, examples = '', more = ''] = /^([^\n]*)\n\nExamples?:\n((?: {2}[^\n]*\n?)*)\n?(.*)$/s.exec(
    command.description(),
  ) ?? [null, command.description()]
  const args = command.registeredArguments.map((one) => [
    `\`${one.name()}\``,
    one.required ? 'required' : '',
    one.description,
  ])
  return [
    `${level} ${name}`,
    does,
    ...(examples ? [`\`\`\`\n${examples.replace(/^ {2}/gm, '').trimEnd()}\n\`\`\``] : []),
    ...(more ? [more.replaceAll('\n', ' ')] : []),
    ...(args.length ? [table(['Argument', '', 'Meaning'], args)] : []),
    ...(command.options.length ? [optionTable(command)] : []),
    ...command.commands.flatMap((one) => commandSection(one, '###')),
  ]
}

function optionTable(command) {
  const rows = command.options.map(({ flags, description, defaultValue, argChoices }) => [
    `\`${flags}\``,
    typeof defaultValue === 'string' || typeof defaultValue === 'number' ? `\`${defaultValue}\`` : '',
    argChoices ? `${description}: ${argChoices.join(', ')}` : description,
  ])
  return table(['Option', 'Default', 'Meaning'], rows)
}

async function configurationPage() {
  const { configJsonSchema } = await from('src/app/config/json-schema.js')
  const rows = keyRows(JSON.parse(configJsonSchema()), '')
  return [
    'Carrel reads `carrel.json` in the root, and your own file (`~/.config/carrel/config.json`). Flags override variables,',
    'and variables override files.',
    '',
    table(['Key', 'Default', 'Meaning'], rows),
  ].join('\n')
}

function keyRows({ properties = {} }, before) {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const inner = schema.properties ? schema : (schema.items?.anyOf?.find((one) => one.properties) ?? {})
    const name = `${before}${key}${schema.type === 'array' && inner.properties ? '[]' : ''}`
    const standard = schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``
    const isGroup = schema.properties && !schema.description
    const row = [`\`${before}${key}\``, standard, schema.description ?? '']
    return [...(isGroup ? [] : [row]), ...keyRows(inner, `${name}.`)]
  })
}

async function environmentPage() {
  const { keys } = await from('src/app/config/keys.js')
  const { processVariables } = await from('src/app/config/read.js')
  const own = Object.entries(processVariables).filter(([, meaning]) => !meaning.startsWith('For tests'))
  return [
    table(
      ['Variable', 'Meaning'],
      [
        ...own.map(([name, meaning]) => [`\`${name}\``, meaning]),
        ['`NO_COLOR`, `FORCE_COLOR`', 'Turn colours off, or on for a pipe too.'],
        [
          '`XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_CACHE_HOME`',
          'Where your own configuration, state and caches are.',
        ],
      ],
    ),
    '## Keys of the configuration',
    'Each key of [the configuration](configuration.md) has a variable. Lists are separated by commas.',
    table(
      ['Variable', 'Key'],
      keys.map(({ variable, name }) => [`\`${variable}\``, `\`${name}\``]),
    ),
  ].join('\n\n')
}

async function codesPage() {
  const { errorCodes, noteCodes, serviceCodes } = await from('test/docs/codes.js')
  const rows = (codes, prefix = (code) => [code]) =>
    Object.entries(codes)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, { meaning, action }]) => [
        prefix(code)
          .map((one) => `\`${one}\``)
          .join(', '),
        meaning,
        action,
      ])
  const head = ['Code', 'Meaning', 'What to do']
  return [
    '## Errors',
    'With `--json`, an error is `{ "error": { "code", "message", "hint" } }`.',
    table(head, rows(errorCodes)),
    '## Errors of embedding and reranking services',
    table(
      head,
      rows(serviceCodes, (code) => [`embedder_${code}`, `reranker_${code}`]),
    ),
    '## Notes',
    'A note comes with an answer that is valid, but weaker or incomplete.',
    table(head, rows(noteCodes)),
  ].join('\n\n')
}

async function httpPage() {
  const { openApi } = await from('src/surfaces/http/openapi.js')
  const { registry } = await from('src/server/registry.js')
  const all = registry(toolsets, undefined, { capabilities: toolsets.flatMap(needs) })
  const { info, paths, components } = openApi(all, '')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  const toolCalls = operations.filter(({ tags }) => tags)
  const pageOf = (tags, id) => `[\`${id}\`](${tags[0]}.md#${id.toLowerCase()})`
  return [
    info.description,
    'The server describes its API as OpenAPI at `/api/openapi.json`. MCP is at `/mcp`, and with one toolset at `/mcp/TOOLSET`.',
    '```\ncurl -s http://127.0.0.1:7373/api/tools/documents_search -H "content-type: application/json" -d \'{"query": "retries"}\'\n```',
    table(
      ['Request', 'Answer'],
      [
        ...operations
          .filter(({ tags }) => !tags)
          .map(({ method, path, summary }) => [`\`${method.toUpperCase()} ${path}\``, summary]),
        ...toolCalls.map(({ method, path, operationId, tags, summary }) => [
          `\`${method.toUpperCase()} ${path}\``,
          `${summary}: ${pageOf(tags, operationId)}.`,
        ]),
      ],
    ),
    '## Headers',
    table(
      ['Header', 'Meaning'],
      toolCalls[0].parameters.map(({ name, description }) => [`\`${name}\``, description]),
    ),
    '## Failures',
    table(
      ['Status', 'Meaning'],
      Object.entries(components.responses).map(([status, { description }]) => [status, description]),
    ),
  ].join('\n\n')
}

function needs({ tools, resources = [] }) {
  return [...tools, ...resources].flatMap((one) => one.needs ?? [])
}

async function metricsPage() {
  const { metrics } = await from('src/surfaces/http/metrics.js')
  return table(
    ['Metric', 'Type', 'Labels', 'Meaning'],
    metrics.map(({ name, type, labels, help }) => [`\`${name}\``, type, labels, help]),
  )
}

function table(head, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
