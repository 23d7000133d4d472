import type { Case } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AuditedCase } from './audited-pack.js';
import { drawCases } from './sample.js';

const caseOf = (challenge: number, index: number): AuditedCase => {
  const key = `case-${index}`;
  const each: Case = { challenge_key: `challenge-${challenge}`, case_key: key, item_key: key, payload: {} };
  return { inputSetKey: 'default', case: each };
};

const casesOf = (challenges: readonly number[]) => challenges.map(caseOf);

describe('the draw of cases', () => {
  const drawn = fc.record({
    challenges: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 60 }),
    most: fc.integer({ min: 1, max: 30 }),
    seed: fc.string(),
  });

  test('it has as many as may be, in their order, each once', () => {
    fc.assert(
      fc.property(drawn, ({ challenges, most, seed }) => {
        const cases = casesOf(challenges);
        const chosen = drawCases(cases, { most, seed });
        expect(chosen).toHaveLength(Math.min(most, cases.length));
        const indexes = chosen.map((each) => cases.indexOf(each));
        expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
      }),
    );
  });

  test('every challenge has a case before any has a second', () => {
    fc.assert(
      fc.property(drawn, ({ challenges, most, seed }) => {
        const chosen = drawCases(casesOf(challenges), { most, seed });
        const distinct = new Set(chosen.map(({ case: each }) => each.challenge_key)).size;
        expect(distinct).toBe(Math.min(new Set(challenges).size, chosen.length));
      }),
    );
  });

  test('a draw from the drawn cases of a part and from the rest is a draw from all', () => {
    fc.assert(
      fc.property(drawn, fc.nat({ max: 60 }), ({ challenges, ...by }, at) => {
        const cases = casesOf(challenges);
        const [part, rest] = [cases.slice(0, at), cases.slice(at)];
        expect(drawCases([...drawCases(part, by), ...rest], by)).toEqual(drawCases(cases, by));
      }),
    );
  });

  test('the same seed draws the same cases, and another seed others', () => {
    const cases = casesOf(Array.from({ length: 200 }, () => 0));
    const keys = (seed: string) =>
      drawCases(cases, { most: 10, seed }).map(({ case: each }) => each.case_key);
    expect(keys('a')).toEqual(keys('a'));
    expect(keys('a')).not.toEqual(keys('b'));
  });
});
