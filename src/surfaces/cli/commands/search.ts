import { type Command, Option } from 'commander'
import type { SearchAnswer, SearchRequest } from '../../../answer/search.js'
import { Problem } from '../../../model/problem.js'
import { cleanPath } from '../../../text/glob.js'
import type { Context } from '../context.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { tellNotes } from '../notes.js'
import { collect, globalFlags, modes, oneOf, whole } from '../options.js'
import { clip, colours, safe, widthOf } from '../terminal.js'

interface SearchFlags {
  collection?: string[]
  under?: string[]
  tag?: string[]
  language?: string[]
  limit?: number
  maxTokens?: number
  mode?: (typeof modes)[number]
  deadline?: number
  explain?: boolean
}

export function searchCommand(program: Command, context: Context) {
  program
    .command('search')
    .summary('find passages')
    .description(
      'Finds the passages that answer a question, best first. Words need no quotes around them;\n"quotation marks" inside the question ask for an exact phrase.',
    )
    .argument('<QUERY...>', 'what to look for')
    .addOption(many('-c, --collection <NAME>', 'only in this collection'))
    .addOption(many('-u, --under <PATH>', 'only below this folder of a collection'))
    .addOption(many('-t, --tag <TAG>', 'only in documents with this tag'))
    .addOption(many('-l, --language <NAME>', 'only code of this language'))
    .option('-n, --limit <NUMBER>', 'maximum number of passages', whole(1, 1000))
    .option('--max-tokens <NUMBER>', 'maximum tokens of text in all', whole(1, 10_000_000))
    .option('-m, --mode <MODE>', `how to search: ${modes.join(', ')}`, oneOf(modes))
    .option(
      '--deadline <MS>',
      'answer within so many milliseconds (8000) with what there is',
      whole(1, 3_600_000),
    )
    .option('--explain', 'why each passage stands where it stands, and what took how long')
    .addHelpText('after', examples)
    .action(async (words: string[], flags: SearchFlags, command: Command) => {
      await find(context, command, request(words, flags))
    })
}

const examples = `
Options marked "repeatable" may be given several times: any of their values will do.

Examples:
  carrel search how are retries limited
  carrel search '"retry budget"' --under docs/adr
  carrel search parseHeader --language typescript -n 5
  carrel search rotate keys --collection handbook --tag security
  carrel search timeout --json | jq -r '.hits[].document'
  carrel search -- --no-color       a question that starts with a dash`

function many(flags: string, description: string): Option {
  return new Option(flags, `${description}; repeatable`).argParser(collect)
}

function request(words: string[], flags: SearchFlags): SearchRequest {
  const query = words.join(' ').trim()
  if (query === '')
    throw new Problem('usage', 'The question is empty.', 'Say what to look for: carrel search WORDS.')
  const asked: SearchRequest = {
    query,
    collections: flags.collection,
    under: flags.under?.map(cleanPath),
    tags: flags.tag,
    languages: flags.language,
    limit: flags.limit,
    maxTokens: flags.maxTokens,
    mode: flags.mode,
    deadlineMs: flags.deadline,
    explain: flags.explain,
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as typeof asked
}

async function find(context: Context, command: Command, asked: SearchRequest) {
  const flags = globalFlags(command)
  const answer = await withLibrary(context, command, (library) => context.services.search(library, asked), {
    reading: true,
  })
  if (flags.json) return writeJson(context, forPrograms(answer, asked))
  const { searchText } = await import('../show/search-answer.js')
  const paint = colours(context.out, context.env, flags.color)
  const explain = asked.explain ?? false
  context.out.write(searchText(answer, { paint, width: widthOf(context.out), explain }))
  tellNotes(context, answer.notes, flags)
  if (answer.hits.length === 0 && !flags.quiet)
    context.err.write(`Nothing found for ${clip(safe(JSON.stringify(answer.query)), mostEchoed)}.\n`)
}

/** Of a question that is shown again: enough to know it by. */
const mostEchoed = 200

function forPrograms({ query, hits, notes, stages }: SearchAnswer, { explain }: SearchRequest) {
  return { query, hits, notes, ...(explain ? { stages } : {}) }
}
