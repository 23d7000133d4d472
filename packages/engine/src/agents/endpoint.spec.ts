import { planRedelivery } from '@agentclash/attempt-plan';
import { isGraded } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { outcomeOf } from '../outcome/attempt-end.js';
import { endOfEndpointReply } from './endpoint.js';

const replyWith = (status: number) => outcomeOf(endOfEndpointReply({ status, output: 'an output' }));
const RETRYABLE_4XX = [408, 425, 429];

describe('an endpoint that refuses', () => {
  test('an endpoint that refuses with any 4xx other than 408, 425 and 429 has failed the case itself', () => {
    const statuses = fc.integer({ min: 400, max: 499 }).filter((status) => !RETRYABLE_4XX.includes(status));
    fc.assert(
      fc.property(statuses, (status) => {
        const outcome = replyWith(status);
        expect(outcome).toMatchObject({ outcome: 'agent_error', code: 'endpoint_error', retryable: false });
        expect(outcome.message).toContain(String(status));
        expect(isGraded(outcome.outcome)).toBe(true);
      }),
    );
  });

  test('an endpoint that refuses with 408, 425, 429 or any 5xx is retried, and then missing data', () => {
    const passing = fc.oneof(fc.constantFrom(...RETRYABLE_4XX), fc.integer({ min: 500, max: 599 }));
    fc.assert(
      fc.property(passing, (status) => {
        const outcome = replyWith(status);
        expect(outcome).toMatchObject({ outcome: 'provider_error', retryable: true });
        expect(isGraded(outcome.outcome)).toBe(false);
        expect(planRedelivery({ ...outcome, delivery: 1, random: 0 })).toMatchObject({ redeliver: true });
        expect(planRedelivery({ ...outcome, delivery: 3, random: 0 })).toMatchObject({ redeliver: false });
      }),
    );
  });
});
