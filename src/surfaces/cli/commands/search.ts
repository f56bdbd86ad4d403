import { type Command, Option } from 'commander'
import type { SearchRequest } from '../../../answer/search.js'
import { Problem } from '../../../model/problem.js'
import { type DocumentKind, documentKinds } from '../../../model/scope.js'
import { cleanPath } from '../../../text/glob.js'
import { printNotes, printResult, withLibrary } from '../command.js'
import type { Context } from '../context.js'
import { collect, globalFlags, helpText, modes, oneOf, whole } from '../options.js'
import { clip, safe } from '../terminal.js'

interface SearchFlags {
  collection?: string[]
  under?: string[]
  tag?: string[]
  language?: string[]
  kind?: DocumentKind[]
  since?: string
  weak?: boolean
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
      helpText(
        'Finds the passages that answer a question, best first.',
        [
          'carrel search how are retries limited',
          `carrel search '"retry budget"' --under docs/adr`,
          'carrel search parseHeader --language typescript -n 5',
          'carrel search rotate keys --collection handbook --tag security',
          `carrel search timeout --json | jq -r '.hits[].document'`,
          'carrel search -- --no-color       a question that starts with a dash',
        ],
        `The question needs no quotes around it; "quotation marks" inside it search for an exact phrase.
If a repeatable option is given several times, any of its values matches.`,
      ),
    )
    .argument('<QUERY...>', 'what to look for')
    .addOption(many('-c, --collection <NAME>', 'only in this collection'))
    .addOption(many('-u, --under <PATH>', 'only in this folder of a collection'))
    .addOption(many('-t, --tag <TAG>', 'only in documents with this tag'))
    .addOption(many('-l, --language <NAME>', 'only code of this language'))
    .addOption(
      new Option('-k, --kind <KIND>', `only ${documentKinds.join(', ')}; repeatable`).argParser(
        (value: string, before: DocumentKind[] = []) => [...before, oneOf(documentKinds)(value)],
      ),
    )
    .option('--since <TIME>', 'only what changed since a date (2026-11-01) or in the last 12h, 7d, 2w')
    .option('--weak', 'show the nearest passages even if none is relevant')
    .option('-n, --limit <NUMBER>', 'maximum number of passages', whole(1, 1000))
    .option('--max-tokens <NUMBER>', 'maximum tokens of text in all', whole(1, 10_000_000))
    .option('-m, --mode <MODE>', `how to search: ${modes.join(', ')}`, oneOf(modes))
    .option(
      '--deadline <MS>',
      'answer within this many milliseconds with what was found by then (8000)',
      whole(1, 3_600_000),
    )
    .option('--explain', 'show how each passage was ranked and how long each stage took')
    .action(async (words: string[], flags: SearchFlags, command: Command) => {
      await find(context, command, request(words, flags))
    })
}

function many(flags: string, description: string): Option {
  return new Option(flags, `${description}; repeatable`).argParser(collect)
}

function request(words: string[], flags: SearchFlags): SearchRequest {
  const query = words.join(' ').trim()
  if (query === '')
    throw new Problem('usage', 'The question is empty.', 'Write what to look for: carrel search WORDS.')
  const request: SearchRequest = {
    query,
    collections: flags.collection,
    under: flags.under?.map(cleanPath),
    tags: flags.tag,
    languages: flags.language,
    kinds: flags.kind,
    since: flags.since,
    weak: flags.weak,
    limit: flags.limit,
    maxTokens: flags.maxTokens,
    mode: flags.mode,
    deadlineMs: flags.deadline,
    explain: flags.explain,
  }
  return Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined),
  ) as typeof request
}

async function find(context: Context, command: Command, request: SearchRequest) {
  const flags = globalFlags(command)
  const answer = await withLibrary(context, command, (library) => context.services.search(library, request), {
    reading: true,
    asking: request.mode !== 'text',
  })
  const { searchText } = await import('../search-answer.js')
  const { query, hits, notes, stages } = answer
  const explain = request.explain ?? false
  printResult(context, command, {
    json: { query, hits, notes, ...(explain ? { stages } : {}) },
    text: (look) => searchText(answer, { ...look, explain }),
  })
  if (flags.json) return
  printNotes(context, notes, flags)
  if (hits.length === 0 && !flags.quiet)
    context.err.write(`Nothing found for ${clip(safe(JSON.stringify(query)), mostEchoed)}.\n`)
}

/** How much of the question the message repeats. */
const mostEchoed = 200
