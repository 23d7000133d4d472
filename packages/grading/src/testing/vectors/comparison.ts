import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { type Pair, type PairedOptions, pairedTest } from '../../comparison/paired-test.js';
import { holmAdjust, mcnemarP, signFlipP } from '../../statistics/tests.js';

type Vector = { id: string; want: unknown } & (
  | ({ kind: 'paired'; pairs: Pair[] } & PairedOptions)
  | { kind: 'sign_flip'; differences: number[] }
  | { kind: 'mcnemar'; lost: number; gained: number }
  | { kind: 'holm'; p: number[] }
);

const RUN: { [K in Vector['kind']]: (vector: Extract<Vector, { kind: K }>) => unknown } = {
  paired: ({ pairs, binary, detect }) => pairedTest(pairs, { binary, detect }),
  sign_flip: ({ differences }) => ({ p: signFlipP(differences) }),
  mcnemar: ({ lost, gained }) => ({ p: mcnemarP(lost, gained) }),
  holm: ({ p }) => ({ adjusted: holmAdjust(p) }),
};

export const driver: VectorDriver<Vector> = {
  run(vector) {
    const run = RUN[vector.kind] as (vector: Vector) => unknown;
    expectNear(run(vector), vector.want);
  },
};
