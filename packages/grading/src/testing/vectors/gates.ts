import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { evaluateGate } from '../../gates/evaluate.js';
import { GatePolicy } from '../../gates/policy.js';
import type { GateEvidence } from '../../gates/types.js';

interface Vector {
  id: string;
  policy: unknown;
  comparison: GateEvidence;
  want: unknown;
}

export const driver: VectorDriver<Vector> = {
  run({ policy, comparison, want }) {
    expectNear(evaluateGate(GatePolicy.parse(policy), comparison), want);
  },
};
