import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { resolveReference } from '../../evidence/resolve.js';
import type { AttemptEvidence } from '../../evidence/types.js';

interface ReferenceVector {
  id: string;
  reference: string;
  evidence: Partial<AttemptEvidence>;
  want: { state: string; value?: string; side?: string };
}

export const driver: VectorDriver<ReferenceVector> = {
  run({ reference, evidence, want }) {
    const found = resolveReference(reference, {
      attempt: { outcome: 'completed' },
      events: [],
      case: {},
      ...evidence,
    });
    const { value, ...state } = want;
    expect(found).toMatchObject(value === undefined ? state : { ...state, text: value });
  },
};
