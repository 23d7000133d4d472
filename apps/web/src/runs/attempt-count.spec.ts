import type { InputSet } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { deploymentOf, id } from '../testing/fixtures.js';
import { attemptCount } from './attempt-count.js';
import { EMPTY_DRAFT } from './run-draft.js';

const set: InputSet = {
  ...{ id: id(60), key: 'main', name: 'Main', description: null, challenge_key: 'add', case_count: 1_200 },
};
const [alpha, beta] = [deploymentOf(10, 'alpha'), deploymentOf(11, 'beta')];
const varied = deploymentOf(12, 'varied', { variants: { bare: {}, skill: {}, docs: {} }, baseline: 'bare' });

describe('the number of attempts that a run form describes', () => {
  test('it is the cases of the set times the agents times the repetitions', () => {
    const chosen = { set, deployments: [alpha, beta], variants: [] };
    expect(attemptCount(EMPTY_DRAFT, chosen)).toBe('2,400 attempts: 1,200 cases × 2 agents');
    expect(attemptCount({ ...EMPTY_DRAFT, repetitions: '3' }, chosen)).toBe(
      '7,200 attempts: 1,200 cases × 2 agents × 3 repetitions',
    );
  });

  test('named cases count once each, and variants that race are agents', () => {
    const draft = { ...EMPTY_DRAFT, cases: 'one\n two \none\n' };
    const chosen = { set, deployments: [alpha, varied], variants: ['bare', 'docs'] };
    expect(attemptCount(draft, chosen)).toBe('6 attempts: 2 cases × 3 agents');
    expect(attemptCount({ ...draft, cases: 'one' }, { ...chosen, deployments: [alpha] })).toBe(
      '1 attempt: 1 case × 1 agent',
    );
  });

  test('it is unknown before a choice, and for the failed cases of another run', () => {
    const chosen = { set, deployments: [alpha], variants: [] };
    expect(attemptCount(EMPTY_DRAFT, { ...chosen, set: undefined })).toBeUndefined();
    expect(attemptCount(EMPTY_DRAFT, { ...chosen, deployments: [] })).toBeUndefined();
    expect(attemptCount({ ...EMPTY_DRAFT, onlyFailedOf: id(100) }, chosen)).toBeUndefined();
  });
});
