import { vectorSuite } from '@agentclash/testkit';
import { expect } from '@jest/globals';
import { resolveReference } from './resolve.js';
import type { AttemptEvidence } from './types.js';

interface ReferenceVector {
  id: string;
  reference: string;
  evidence: Partial<AttemptEvidence>;
  want: { state: string; value?: string; side?: string };
}

vectorSuite<ReferenceVector>('scoring-references.yaml', ({ reference, evidence, want }) => {
  const found = resolveReference(reference, {
    attempt: { outcome: 'completed' },
    events: [],
    case: {},
    ...evidence,
  });
  const { value, ...state } = want;
  expect(found).toMatchObject(value === undefined ? state : { ...state, text: value });
});
