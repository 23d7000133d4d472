import { describe, expect, test } from '@jest/globals';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import { IDLE } from '../references/reference-agents.js';
import { type NaivePack, readNaive } from '../testing/naive-document.js';
import { planTrial } from './plan-trial.js';

const NAIVE: NaivePack = {
  instructions: 'Write solution.py.',
  command: 'python3 /grader/check.py {{number}}',
  grader: { 'check.py': 'assert True', 'data.json': [1] },
};
const REPLY: NaivePack = {
  ...{ mode: 'prompt_eval', instructions: 'Count.' },
  validators: [
    { key: 'right', type: 'exact_match', target: 'final_output', expected_from: 'case.payload.number' },
  ],
};

/** The digests of the case and of the case as it is changed. */
async function digests(naive: NaivePack, change: (each: AuditedCase['case']) => AuditedCase['case']) {
  const pack: AuditedPack = await readNaive('digests', naive);
  const [each] = pack.cases;
  if (!each) throw new Error('the pack has no case');
  const digestOf = (audited: AuditedCase) => planTrial(IDLE, audited, pack).graderDigest;
  return [digestOf(each), digestOf({ ...each, case: change(each.case) })];
}

const withPayload = (more: object) => (each: AuditedCase['case']) => ({
  ...each,
  payload: { ...each.payload, ...more },
});

describe('the digest of a grader', () => {
  test('cases that are graded alike have the same, whatever else is in them', async () => {
    for (const naive of [NAIVE, REPLY]) {
      const renamed = (each: AuditedCase['case']) => ({
        ...withPayload({ note: 'x' })(each),
        case_key: 'other',
      });
      const [one, other] = await digests(naive, renamed);
      expect(other).toBe(one);
    }
  });

  test.each<[string, NaivePack, (each: AuditedCase['case']) => AuditedCase['case']]>([
    [
      'test files',
      NAIVE,
      (each) => ({ ...each, expectations: [{ key: 'check.py', kind: 'file', value: 'assert False' }] }),
    ],
    ['values in a command', NAIVE, withPayload({ number: 2 })],
    ['expected values in the payload', REPLY, withPayload({ number: 4 })],
  ])('Cases with other %s have other digests.', async (_, naive, change) => {
    const [one, other] = await digests(naive, change);
    expect(other).not.toBe(one);
  });
});
