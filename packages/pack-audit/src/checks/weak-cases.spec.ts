import { describe, expect, test } from '@jest/globals';
import type { AuditedCase } from '../pack/audited-pack.js';
import { readNaive } from '../testing/naive-document.js';
import type { Points } from '../trials/points.js';
import { unplannedResult } from '../trials/trial.js';
import { FULL_AUDIT } from './context.js';
import { checkReplies } from './weak-cases.js';

const FAILED: Points = {
  ...{ passed: false, lacksJudges: false, overall: 0 },
  ...{ dimensions: { correctness: 0 }, validators: { reply: 0 } },
};
const PASSED: Points = { ...FAILED, passed: true, overall: 1, validators: { reply: 1 } };
const UNUSED = unplannedResult({ code: 'unused', message: 'unused' });

/** The findings where cases, by the reply of their solution, take the replies that `takes` decides. */
async function found(
  solutions: readonly string[],
  takes: (reply: string, solution: string) => boolean,
  { lacksJudges = false, always = [] as string[] } = {},
) {
  const pack = await readNaive('replies', {
    ...{ mode: 'prompt_eval', instructions: 'Reply.', cases: solutions.length },
    validators: [{ key: 'reply', type: 'exact_match', target: 'final_output', expected_from: 'literal:x' }],
  });
  const solutionReplies = new Map(pack.cases.map((each, index) => [each, solutions[index] ?? '']));
  const context = {
    ...{ pack, seed: 'seed', sizes: FULL_AUDIT, cases: pack.cases, hasSolution: () => true },
    ...{ drawMutants: async () => [], runAll: async () => [], expect: () => {}, isInterrupted: () => false },
    pointsOfReply: async (each: AuditedCase, _: unknown, text: string) =>
      takes(text, solutionReplies.get(each) ?? '') ? { ...PASSED, lacksJudges } : FAILED,
  };
  const graderOf = (each: AuditedCase) => each.case.case_key;
  const facts = { graderOf, echoOf: () => UNUSED, withoutWork: () => [FAILED], solutionReplies };
  return await checkReplies(context, facts, always);
}

const CAPITALS = ['Paris', 'Rome', 'Lima', 'Oslo', 'Bern'];

describe('wrong replies', () => {
  test('One that passes a case is a warning with its case, validator and reply.', async () => {
    const findings = await found(
      CAPITALS,
      (reply, right) => reply === right || (right === 'Lima' && reply === '{}'),
    );
    expect(findings).toMatchObject([
      {
        ...{ code: 'weak_case', severity: 'warning', case_key: 'case-3', validators: ['reply'] },
        message: 'A wrong reply passes: "{}".',
        detail: 'the solution of case-3 replies with "Lima"',
      },
    ]);
    expect(findings[0]?.other_case_keys).toBeUndefined();
  });

  test('One that passes most cases in which it is wrong is an error.', async () => {
    const findings = await found(
      CAPITALS,
      (reply, right) => reply === right || (right !== 'Lima' && reply === '{}'),
    );
    expect(findings).toMatchObject([
      { severity: 'error', case_key: 'case-1', other_case_keys: ['case-2', 'case-4', 'case-5'] },
    ]);
  });

  test('A constant reply that is right in half of the cases is no finding, nor one that passes all, nor where judges decide.', async () => {
    expect(
      await found(['yes', 'no', 'Yes.', 'No', 'yes'], (reply, right) => reply === right.toLowerCase()),
    ).toEqual([]);
    const any = (reply: string) => reply === '{}';
    expect(await found(CAPITALS, any, { always: ['{}'] })).toEqual([]);
    expect(await found(CAPITALS, any, { lacksJudges: true })).toEqual([]);
  });

  test('Replies of other solutions are a finding where half of them pass, not where one of them does.', async () => {
    const takes = (few: readonly string[]) => (reply: string, right: string) =>
      reply === right || (right === 'Lima' && few.includes(reply));
    expect(await found(CAPITALS, takes(['Rome']))).toEqual([]);
    expect(await found(CAPITALS, takes(['Rome', 'Oslo']))).toMatchObject([
      { code: 'weak_case', severity: 'warning', case_key: 'case-3' },
    ]);
  });
});
