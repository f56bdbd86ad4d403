import type { EvalReport } from '../../../model/reports.js'
import { count, duration } from '../figures.js'
import { safe } from '../terminal.js'
import { joined, type Look, table } from './table.js'

export function evalText(report: EvalReport, { paint }: Look): string {
  const head = [
    'set',
    'mode',
    'documents',
    'queries',
    'nDCG@10',
    'graded',
    'Recall@100',
    'MRR@10',
    'p50',
    'p95',
    'index',
  ]
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
  return joined([paint.dim(first), second])
}
