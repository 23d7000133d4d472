import { describe, expect, test } from '@jest/globals';
import { planRedelivery } from './redelivery.js';

describe('redelivery', () => {
  test('a user retry allows a delivery beyond the third', () => {
    const end = { delivery: 3, outcome: 'infra_error', random: 0 } as const;
    expect(planRedelivery(end)).toEqual({ redeliver: false });
    expect(planRedelivery({ ...end, deliveriesMax: 4 })).toEqual({ redeliver: true, delaySeconds: 32 });
  });

  test('an error of the infrastructure that is permanent leads to no delivery', () => {
    const end = { delivery: 1, outcome: 'infra_error', random: 0 } as const;
    expect(planRedelivery({ ...end, retryable: false })).toEqual({ redeliver: false });
    expect(planRedelivery(end)).toMatchObject({ redeliver: true });
  });

  test('a short hint does not shorten the backoff', () => {
    const end = { delivery: 2, outcome: 'infra_error', random: 0, retryAfterSeconds: 1 } as const;
    expect(planRedelivery(end)).toEqual({ redeliver: true, delaySeconds: 16 });
  });

  test('the backoff stops growing at two minutes', () => {
    const end = { delivery: 9, outcome: 'infra_error', random: 0.5, deliveriesMax: 20 } as const;
    expect(planRedelivery(end)).toEqual({ redeliver: true, delaySeconds: 120 });
  });
});
