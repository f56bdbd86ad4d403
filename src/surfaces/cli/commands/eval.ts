import type { Command } from 'commander'
import type { EvalReport } from '../../../model/reports.js'
import { printNotes, printResult, settingsFor } from '../command.js'
import type { Context } from '../context.js'
import { globalFlags, helpText, modes, oneOf, pathTo } from '../options.js'
import { showProgress } from '../progress.js'
import { count, duration, joined, type Look, safe, table } from '../terminal.js'

export function evalCommand(program: Command, context: Context) {
  program
    .command('eval')
    .summary('measure how good the answers are')
    .description(
      helpText(
        'Measures the search on a collection whose right answers are known.',
        [
          'carrel eval data/cranfield --mode text',
          `carrel eval data/cranfield --mode hybrid --json | jq '.["ndcg@10"]'`,
        ],
        `The folder is in BEIR form: corpus.jsonl, queries.jsonl, and qrels.tsv with a header line. The command indexes it
apart from your own index, asks every question, and prints nDCG@10, Recall@100, MRR@10 and the times. Questions with a
"kind" are also counted by kind.`,
      ),
    )
    .argument('<DIR>', 'the folder with the three files', pathTo('folder'))
    .option('-m, --mode <MODE>', `how to search: ${modes.join(', ')}`, oneOf(modes), 'hybrid')
    .action(async (folder: string, { mode }: { mode: EvalReport['mode'] }, command: Command) => {
      const flags = globalFlags(command)
      const settings = await settingsFor(context, command)
      const progress = showProgress(context, flags)
      const report = await context.services
        .evaluate(settings, { folder, mode, signal: context.signal, onProgress: progress.say })
        .finally(() => progress.end())
      printResult(context, command, { json: jsonReport(report), text: (look) => evalText(report, look) })
      if (flags.json) return
      printNotes(
        context,
        report.notes.map((message) => ({ message })),
        flags,
      )
    })
}

function jsonReport({
  ndcg10,
  ndcg10Graded,
  recall100,
  mrr10,
  queryMs,
  indexMs,
  kinds,
  notes,
  ...report
}: EvalReport) {
  const { set, mode, documents, queries } = report
  return {
    ...{ set, mode, documents, queries },
    'ndcg@10': ndcg10,
    'ndcg@10_graded': ndcg10Graded,
    'recall@100': recall100,
    'mrr@10': mrr10,
    query_ms: queryMs,
    index_ms: indexMs,
    ...(kinds.length > 0 ? { kinds: kinds.map(jsonKind) } : {}),
    notes,
  }
}

function jsonKind({ kind, queries, ndcg10, recall100, mrr10 }: EvalReport['kinds'][number]) {
  return { kind, queries, 'ndcg@10': ndcg10, 'recall@100': recall100, 'mrr@10': mrr10 }
}

function evalText(report: EvalReport, { paint }: Look): string {
  const measures = ['nDCG@10', 'graded', 'Recall@100', 'MRR@10', 'p50', 'p95', 'index']
  const head = ['set', 'mode', 'documents', 'queries', ...measures]
  const row = [
    safe(report.set),
    report.mode,
    count(report.documents),
    count(report.queries),
    ...[report.ndcg10, report.ndcg10Graded, report.recall100, report.mrr10].map((value) => value.toFixed(4)),
    ...[report.queryMs.p50, report.queryMs.p95].map((ms) => `${ms.toFixed(1)} ms`),
    duration(report.indexMs),
  ]
  const [first = '', second = ''] = table([head, row], [2, 3, 4, 5, 6, 7, 8, 9, 10])
  return joined([paint.dim(first), second, ...kindsText(report)])
}

/** A table of its own below the whole; nothing where the set names no kinds. */
function kindsText({ kinds }: EvalReport): string[] {
  if (kinds.length === 0) return []
  const rows = kinds.map(({ kind, queries, ndcg10, recall100, mrr10 }) => [
    safe(kind),
    count(queries),
    ...[ndcg10, recall100, mrr10].map((value) => value.toFixed(4)),
  ])
  return ['', ...table([['kind', 'queries', 'nDCG@10', 'Recall@100', 'MRR@10'], ...rows], [1, 2, 3, 4])]
}
