import { attemptOf, expectResult, type ValidatorVector } from '@agentclash/grading/vectors/validators';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { MeasuredGrader } from '../measured-grader.js';

let grader: MeasuredGrader | undefined;

/** Checks how long the service's event loop is blocked while its threads grade, where the vector limits that. */
export const driver: VectorDriver<ValidatorVector> = {
  async run({ limits, want, ...vector }) {
    if (limits === undefined) return;
    grader ??= new MeasuredGrader();
    const attempt = attemptOf(vector);
    expectResult(await grader.resultOf(attempt), want);
    const { event_loop_block_ms: limitMs } = limits;
    expect(await grader.blockMs(attempt, limitMs)).toBeLessThanOrEqual(limitMs);
  },
  async close() {
    await grader?.stop();
    grader = undefined;
  },
};
