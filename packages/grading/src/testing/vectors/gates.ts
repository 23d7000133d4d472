import type { GatePolicySpec } from '@agentclash/domain';
import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { evaluateGate } from '../../gates/evaluate.js';
import { fillPolicy } from '../../gates/policy.js';
import type { GateEvidence } from '../../gates/types.js';

interface Vector {
  id: string;
  policy: Partial<GatePolicySpec>;
  comparison: GateEvidence;
  want: unknown;
}

export const driver: VectorDriver<Vector> = {
  run({ policy, comparison, want }) {
    expectNear(evaluateGate(fillPolicy(policy), comparison), want);
  },
};
