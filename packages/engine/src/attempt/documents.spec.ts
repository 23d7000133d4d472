import { expect, test } from '@jest/globals';
import { attemptPlan } from '../testing/plans.js';
import { documentOf } from './documents.js';

test('a document of another form is refused, not acted on', () => {
  const plan = { ...attemptPlan({ kind: 'scripted', config: { steps: [] } }) };
  expect(documentOf('agentclash.attempt-plan/1', plan)).toBe(plan);
  for (const document of [{ ...plan, schema: 'agentclash.attempt-plan/2' }, {}]) {
    expect(() => documentOf('agentclash.attempt-plan/1', document)).toThrow(
      /expected agentclash.attempt-plan\/1/,
    );
  }
});
