import { ContractError, event, job } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { EVENT_DELIVERIES_MAX, isLastTry } from './last-try.js';

const input = z.object({});
const chore = job('chores.v1.sweep', { input, deliveriesMax: 3 });
const fact = event('chores.v1.swept', { input });
const bug = new TypeError('x is not a function');
const away = new ContractError('unavailable', 'The database is away.');

describe('the last try', () => {
  test('of a job is the one that its contract allows, whatever went wrong', () => {
    for (const error of [bug, away]) {
      expect([1, 2, 3, 4].map((deliveries) => isLastTry(chore, deliveries, error))).toEqual([
        ...[false, false],
        ...[true, true],
      ]);
    }
  });

  test('of a fact comes for a bug, and never while a neighbour is away', () => {
    expect(isLastTry(fact, EVENT_DELIVERIES_MAX - 1, bug)).toBe(false);
    expect(isLastTry(fact, EVENT_DELIVERIES_MAX, bug)).toBe(true);
    expect(isLastTry(fact, 100_000, away)).toBe(false);
  });
});
