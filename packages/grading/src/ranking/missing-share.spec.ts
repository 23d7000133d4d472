import { readEvaluationSpec } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aggregateRunAgent } from '../aggregate/run-agent.js';
import type { RunAgentScorecard } from '../aggregate/types.js';
import type { Scorecard } from '../scorecard/types.js';
import { rankRunAgents } from './ranking.js';

const PLANNED = 20;

function agentWith(scores: readonly (number | null)[], max_missing_share?: number): RunAgentScorecard {
  const spec = readEvaluationSpec({
    name: 'spec',
    version_number: 1,
    judge_mode: 'deterministic',
    validators: [{ key: 'v', type: 'exact_match', target: 'final_output', expected_from: 'literal:x' }],
    scorecard: {
      dimensions: ['correctness'],
      pass_threshold: 0.5,
      ...(max_missing_share !== undefined && { max_missing_share }),
    },
  });
  const attempts = scores.map((score, index) => ({
    case_key: `c${index}`,
    repetition: 1,
    scorecard: score === null ? null : cardOf(score),
  }));
  return aggregateRunAgent(spec, { attempts, planned_attempts: PLANNED, repetitions: 1 });
}

function cardOf(score: number): Pick<Scorecard, 'overall' | 'passed' | 'reason' | 'validity' | 'dimensions'> {
  return { overall: score, passed: score >= 0.5, reason: 'threshold_met', validity: 'valid', dimensions: [] };
}

/** `graded` of the planned attempts, each with the score; the others are missing. */
const gradedScores = (graded: number, score = 1) =>
  Array.from({ length: PLANNED }, (_, index) => (index < graded ? score : null));

describe('an agent with too many missing attempts', () => {
  test('an agent with too many missing attempts has no verdict, however good its graded attempts are', () => {
    expect(agentWith(gradedScores(5))).toMatchObject({
      passed: null,
      reason: 'missing_share',
      missing_share: 0.75,
      max_missing_share: 0.05,
    });
    expect(agentWith(gradedScores(5, 0))).toMatchObject({ passed: false, reason: 'below_threshold' });
  });

  test('an agent has a verdict up to and including the missing share that the evaluation spec allows', () => {
    expect(agentWith(gradedScores(19))).toMatchObject({ passed: true, reason: 'threshold_met' });
    expect(agentWith(gradedScores(18))).toMatchObject({ passed: null, reason: 'missing_share' });
    expect(agentWith(gradedScores(18), 0.1)).toMatchObject({ passed: true, max_missing_share: 0.1 });
    expect(agentWith(gradedScores(19), 0)).toMatchObject({ passed: null, reason: 'missing_share' });
  });

  test('an agent with too many missing attempts ranks below one whose graded attempts are all wrong, with the reason', () => {
    const agents = [
      { id: 'refuses', scorecard: agentWith(gradedScores(5)) },
      { id: 'wrong', scorecard: agentWith(gradedScores(PLANNED, 0)) },
    ];
    expect(rankRunAgents(agents)).toEqual([
      { id: 'wrong', rank: 1, reason: 'missing_share' },
      { id: 'refuses', rank: 2, reason: 'missing_share' },
    ]);
  });

  test('an agent with too many missing attempts never ranks above an agent within the share, and never passes', () => {
    const scores = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), {
      minLength: PLANNED,
      maxLength: PLANNED,
    });
    fc.assert(
      fc.property(fc.array(scores, { maxLength: 6 }), (rows) => {
        const agents = rows.map((row, index) => ({ id: `agent-${index}`, scorecard: agentWith(row) }));
        const isOver = agents.map(({ scorecard }) => scorecard.missing_share > 0.05 + 1e-9);
        const ranks = new Map(rankRunAgents(agents).map(({ id, rank }) => [id, rank]));
        const ofOver = agents.filter((_, index) => isOver[index]);
        const ofOthers = agents.filter((_, index) => !isOver[index]);
        for (const { id, scorecard } of ofOver) {
          expect(scorecard.passed).not.toBe(true);
          for (const other of ofOthers) expect(ranks.get(id)).toBeGreaterThan(ranks.get(other.id) ?? 0);
        }
      }),
      { examples: [[[gradedScores(5), gradedScores(PLANNED, 0.1), gradedScores(0)]]] },
    );
  });
});
