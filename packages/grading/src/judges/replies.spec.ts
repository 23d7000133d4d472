import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ReplyRules, replyReader } from './reply.js';

const RUBRIC: ReplyRules = { mode: 'rubric', expect: true, score_scale: { min: 1, max: 5 } };

describe('a judge’s reply', () => {
  const read = replyReader(RUBRIC);

  test('an abstention is no score and no error', () => {
    expect(read('{"unable_to_judge": true, "score": 5}')).toMatchObject({ state: 'abstained', score: null });
  });

  test('text around the object of a reply is ignored', () => {
    expect(read('I think {"score": 3} it is.').score).toBe(0.5);
  });

  test('the fenced object takes precedence over braces in the text around it', () => {
    expect(read('In {brief}:\n```json\n{"score": 5}\n```\nSo {yes}.').score).toBe(1);
  });

  test.each(['[5]', '5', '', '}{', '{"score":}', '{"a":'.repeat(5_000)])(
    'the reply %s is unparsable',
    (reply) => {
      expect(read(reply)).toMatchObject({ state: 'error', reason: 'unparsable' });
    },
  );

  test('a score beyond the scale is clamped, however large', () => {
    expect([read('{"score": -3}').score, read('{"score": 1e999}').score]).toEqual([0, 1]);
  });

  test('the verdict overrides pass', () => {
    const assertion = replyReader({ ...RUBRIC, mode: 'assertion' });
    expect(assertion('{"pass": true, "verdict": " FAIL "}').score).toBe(0);
    expect(assertion('{"pass": true, "verdict": "maybe"}').score).toBe(1);
    expect(assertion('{"verdict": "maybe"}').reason).toBe('missing_verdict');
  });

  test('a reply that breaks the author’s schema is a sample error', () => {
    const strict = replyReader({ ...RUBRIC, output_schema: { required: ['evidence'] } });
    expect(strict('{"score": 5}')).toMatchObject({ state: 'error', reason: 'schema_violation', score: null });
  });

  test('a ranking may be called ranked_ids and names every label once', () => {
    const ranking = replyReader({ ...RUBRIC, mode: 'n_wise' });
    expect(ranking('{"ranked_ids": ["B", "A"]}', ['A', 'B']).ranking).toEqual(['B', 'A']);
    expect(ranking('{"ranking": ["B"]}', ['A', 'B']).reason).toBe('invalid_ranking');
  });

  test('no text makes the reader throw, and a score is always between 0 and 1', () => {
    const object = fc.json().map((json) => `{"score": ${json}}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), object), (reply) => {
        const { state, score } = read(reply);
        if (state !== 'scored') return expect(score).toBeNull();
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });
});
