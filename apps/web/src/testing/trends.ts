import type { TrendRun } from '../trends/trend-series.js';
import { AT, id, runOf } from './fixtures.js';

type TrendAgent = TrendRun['agents'][number];

/** Half a cent an attempt, three of four passed. */
export function trendAgent(name: string, more: Partial<TrendAgent> = {}): TrendAgent {
  const counts = { judged: 4, passed: 3, finished: 4 };
  return { id: id(300), name, overall_so_far: 0.8, cost_usd: 0.02, ...counts, ...more };
}

/** The run of this number. */
export function trendRun(number: number, agents: TrendAgent[]): TrendRun {
  const { pack, input_set } = runOf();
  return { id: id(number), number, name: null, pack, input_set, is_subset: false, created_at: AT, agents };
}
