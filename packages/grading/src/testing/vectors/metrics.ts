import type { CollectorName, PriceRow } from '@agentclash/challengepack';
import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { behaviorEvidence } from '../../behavior/panel.js';
import type { EvidenceEvent } from '../../evidence/types.js';
import { COLLECT } from '../../metrics/collectors.js';
import type { ValidatorResult } from '../../validators/result.js';

interface Vector {
  id: string;
  collector: CollectorName;
  events: EvidenceEvent[];
  pricing?: PriceRow[];
  validators?: ValidatorResult[];
  want: unknown;
}

export const driver: VectorDriver<Vector> = {
  run({ collector, events, pricing = [], validators = [], want }) {
    const behavior = behaviorEvidence(events, validators);
    expectNear(COLLECT[collector]({ events, pricing: { models: pricing }, behavior, validators }), want);
  },
};
