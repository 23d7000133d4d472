import type { CollectorName, PriceRow } from '@agentclash/challengepack';
import { expectNear, vectorSuite } from '@agentclash/testkit';
import { behaviorEvidence } from '../behavior/evidence.js';
import type { EvidenceEvent } from '../evidence/types.js';
import type { ValidatorResult } from '../validators/result.js';
import { COLLECT } from './collectors.js';

interface Vector {
  id: string;
  collector: CollectorName;
  events: EvidenceEvent[];
  pricing?: PriceRow[];
  validators?: ValidatorResult[];
  want: unknown;
}

vectorSuite<Vector>('scoring-metrics.yaml', ({ collector, events, pricing = [], validators = [], want }) => {
  const behavior = behaviorEvidence(events, validators);
  expectNear(COLLECT[collector]({ events, pricing: { models: pricing }, behavior, validators }), want);
});
