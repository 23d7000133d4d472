import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { RankingRow } from '../lookup/ranking.js';
import { rankingTable } from './ranking-table.js';

const look = { paint: picocolors.createColors(false) };
const row = RankingRow.parse({
  run_agent_id: 'a',
  name: 'solver',
  rank: 1,
  reason: 'overall',
  overall: 0.8,
  passed: true,
  validity: 'valid',
});

test.each([
  ['unknown (at least $0.2500)', { cost_usd: null, cost_at_least_usd: 0.25 }],
  ['unknown', { cost_usd: null }],
  ['$0.5000', { cost_usd: 0.5 }],
])('the ranking shows the cost of a lane as %s', (text, cost) => {
  const spendings = new Map([['a', { tokens: 12_300, latency_ms: null, ...cost }]]);
  const [head, body] = rankingTable([row], { look, spendings })
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(body?.[head?.indexOf('COST') ?? 0]).toBe(text);
});
