import { caseSubsetLine, packErrorLines, type Run } from '@agentclash/api';
import { type Ranking, whyNoRanking } from '../lookup/ranking.js';
import type { RankingOptions } from './ranking-table.js';

/** What a run says of its ranking, the same wherever the ranking is shown. */
export function rankingContext(
  run: Run,
): Pick<RankingOptions, 'empty' | 'isSelective' | 'subset' | 'packErrors'> {
  return {
    empty: whyNoRanking(run),
    isSelective: run.selective_retry,
    subset: caseSubsetLine(run),
    packErrors: packErrorLines(run),
  };
}

/** The same for programs. */
export function rankingResult<R extends Ranking>(ranking: R, { pack_errors: errors = [] }: Run) {
  return { ...ranking, pack_errors: errors };
}
