import { ContractError, event, job } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { EVENT_DELIVERIES_MAX, isLastDelivery } from './dead-letter.js';

const input = z.object({});
const chore = job('chores.v1.sweep', { input, deliveriesMax: 3 });
const stored = event('chores.v1.swept', { input });
const bug = new TypeError('x is not a function');
const unavailable = new ContractError('unavailable', 'The database is unavailable.');

describe('the last delivery', () => {
  test('the last delivery of a job has the number that its contract allows, for every error', () => {
    for (const error of [bug, unavailable]) {
      expect([1, 2, 3, 4].map((deliveries) => isLastDelivery(chore, deliveries, error))).toEqual([
        ...[false, false],
        ...[true, true],
      ]);
    }
  });

  test('the deliveries of an event are limited for a bug, and unlimited while a dependency is unavailable', () => {
    expect(isLastDelivery(stored, EVENT_DELIVERIES_MAX - 1, bug)).toBe(false);
    expect(isLastDelivery(stored, EVENT_DELIVERIES_MAX, bug)).toBe(true);
    expect(isLastDelivery(stored, 100_000, unavailable)).toBe(false);
  });
});
