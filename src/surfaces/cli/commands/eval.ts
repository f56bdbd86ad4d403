import type { Command } from 'commander'
import type { EvalReport } from '../../../model/reports.js'
import type { Context } from '../context.js'
import { writeJson } from '../json.js'
import { settingsFor } from '../library.js'
import { tellNotes } from '../notes.js'
import { globalFlags, modes, oneOf, pathTo } from '../options.js'
import { showProgress } from '../progress.js'
import { colours, widthOf } from '../terminal.js'

export function evalCommand(program: Command, context: Context) {
  program
    .command('eval')
    .summary('measure how good the answers are')
    .description(
      'Indexes a judged collection in BEIR form (corpus.jsonl, queries.jsonl, qrels.tsv with a header line) on its own,\nasks every question and prints nDCG@10, Recall@100, MRR@10 and the times. Your own index is not touched.',
    )
    .argument('<DIR>', 'the folder with the three files', pathTo('folder'))
    .option('-m, --mode <MODE>', `how to search: ${modes.join(', ')}`, oneOf(modes), 'hybrid')
    .addHelpText(
      'after',
      `
Examples:
  carrel eval data/cranfield --mode text
  carrel eval data/cranfield --mode hybrid --json | jq '.["ndcg@10"]'`,
    )
    .action(async (folder: string, { mode }: { mode: EvalReport['mode'] }, command: Command) => {
      await measure(context, command, { folder, mode })
    })
}

async function measure(
  context: Context,
  command: Command,
  asked: { folder: string; mode: EvalReport['mode'] },
) {
  const flags = globalFlags(command)
  const settings = await settingsFor(context, command)
  const progress = showProgress(context, flags)
  const report = await context.services
    .evaluate(settings, { ...asked, signal: context.signal, onProgress: progress.say })
    .finally(() => progress.end())
  if (flags.json) return writeJson(context, forPrograms(report))
  const { evalText } = await import('../show/eval-report.js')
  const paint = colours(context.out, context.env, flags.color)
  context.out.write(evalText(report, { paint, width: widthOf(context.out) }))
  tellNotes(
    context,
    report.notes.map((message) => ({ code: 'eval', message })),
    flags,
  )
}

function forPrograms(report: EvalReport) {
  return {
    set: report.set,
    mode: report.mode,
    documents: report.documents,
    queries: report.queries,
    'ndcg@10': report.ndcg10,
    'ndcg@10_graded': report.ndcg10Graded,
    'recall@100': report.recall100,
    'mrr@10': report.mrr10,
    query_ms: report.queryMs,
    index_ms: report.indexMs,
    notes: report.notes,
  }
}
