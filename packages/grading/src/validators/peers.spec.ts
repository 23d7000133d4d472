import { type EvaluationSpec, type JsonObject, readEvaluationSpec } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { Levenshtein } from 'autoevals';
import fc from 'fast-check';
import { l as rougeL, n as rougeN } from 'js-rouge';
import { scoreAttempt } from '../scorecard/score-attempt.js';

const WORD = fc.constantFrom('the', 'cat', 'sat', 'on', 'mat', 'dog', 'ran');
const SENTENCE = fc.array(WORD, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));

function specOf(type: string, expected: string, config: JsonObject): EvaluationSpec {
  return readEvaluationSpec({
    name: 'peers',
    version_number: 1,
    judge_mode: 'deterministic',
    validators: [{ key: 'v', type, target: 'final_output', expected_from: `literal:${expected}`, config }],
    scorecard: { dimensions: ['correctness'], pass_threshold: 0.5 },
  });
}

function scoreOf(type: string, actual: string, expected: string, config: JsonObject = {}) {
  const event = { event_type: 'system.output.finalized', occurred_at: '2026-01-01T00:00:00.000Z' };
  const card = scoreAttempt(specOf(type, expected, config), {
    attempt: { outcome: 'completed' },
    case: {},
    events: [{ sequence_number: 1, ...event, payload: { final_output: actual } }],
  });
  return card.validators[0]?.score ?? Number.NaN;
}

describe('scores agree with independent implementations', () => {
  test('the edit distance equals that of autoevals', async () => {
    await fc.assert(
      fc.asyncProperty(SENTENCE, SENTENCE, async (a, b) => {
        // Theirs is a share of the longer text, ours of both together.
        const { score } = await Levenshtein({ output: a, expected: b });
        const distance = (1 - (score ?? 0)) * Math.max(a.length, b.length);
        const own = (1 - scoreOf('fuzzy_match', a, b)) * (a.length + b.length);
        expect(own).toBeCloseTo(distance, 6);
        expect(scoreOf('fuzzy_match', a, b, { relative_to: 'longest' })).toBeCloseTo(score ?? 0, 6);
      }),
      { numRuns: 60 },
    );
  });

  test('the score of ROUGE-1 equals that of js-rouge', () => {
    fc.assert(
      fc.property(SENTENCE, SENTENCE, (a, b) => {
        expect(scoreOf('rouge_score', a, b, { variant: 'rouge-1' })).toBeCloseTo(rougeN(a, b, { n: 1 }), 6);
      }),
      { numRuns: 60 },
    );
  });

  test('the score of ROUGE-L of single sentences equals that of js-rouge', () => {
    const cat = 'the cat sat on the mat';
    for (const other of ['the cat ran', 'a dog sat on the mat', cat]) {
      expect(scoreOf('rouge_score', other, cat)).toBeCloseTo(rougeL(other, cat, { beta: 1 }), 6);
    }
  });
});
