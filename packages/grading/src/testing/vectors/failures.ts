import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { classifyFailure } from '../../failures/classify.js';
import type { FailedAttempt, JudgedKey } from '../../failures/types.js';

type Vector = { id: string; want: unknown; judges?: Partial<JudgedKey>[] } & Partial<
  Omit<FailedAttempt, 'judges'>
>;

export const driver: VectorDriver<Vector> = {
  run({ want, judges = [], ...given }) {
    const failed = failure({
      ...given,
      judges: judges.map((judge) => ({ key: '', failing: false, scored: true, ...judge })),
    });
    expectNear(classifyFailure(failed), want);
  },
};

/** A failed attempt of which only what matters is given. */
export function failure(given: Partial<FailedAttempt>): FailedAttempt {
  return {
    attempt: { outcome: 'completed' },
    evidence_tier: 'native_structured',
    validators: [],
    judges: [],
    flaked: false,
    ...given,
  };
}
