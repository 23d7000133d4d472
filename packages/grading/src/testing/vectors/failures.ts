import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { classifyFailure } from '../../failures/classify.js';
import type { FailedAttempt, JudgedKey } from '../../failures/types.js';
import { failure } from '../failure.js';

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
