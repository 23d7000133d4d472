import { expect, test } from '@jest/globals';
import { rankingLines, verdictReasonInWords } from './ranking-words.js';

test('the reason of a verdict names the gates that failed with their means', () => {
  const entry = {
    verdict_reason: 'gate_failed',
    gates: { correctness: false, format: true, other: false },
    dimensions: { correctness: { mean: 0.85 } },
  };
  expect(verdictReasonInWords(entry)).toBe(
    'gate failed: correctness (mean 0.850), other was below its threshold in at least one attempt, and a gate must hold in all',
  );
  expect(verdictReasonInWords({ verdict_reason: 'gate_failed' })).toBe('gate failed');
  expect(verdictReasonInWords({ verdict_reason: 'below_threshold' })).toBe('below threshold');
  expect(verdictReasonInWords({})).toBeUndefined();
});

test('a ranking states the figures that decided it, and its ties', () => {
  const agents = [
    { name: 'a', rank: 1, reason: 'passed' },
    { name: 'b', rank: 2, reason: 'tie' },
    { name: 'c', rank: 2, reason: 'overall' },
    { name: 'd', rank: null, reason: 'of_a_newer_release' },
  ];
  expect(rankingLines(agents)).toEqual([
    'ranked by verdict, overall score, of a newer release',
    'Tie: b and c share rank 2: no figure separates them',
  ]);
  expect(rankingLines([{ name: 'a', rank: 1, reason: 'only_agent' }])).toEqual([]);
});
