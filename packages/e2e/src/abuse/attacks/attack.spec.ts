import { describe, expect, test } from '@jest/globals';
import { outcomeViolations, repeatedly } from './attack.js';

const attack = { expected: [/^http 201$/], required: /^http 422$/ };

describe('the outcomes of an attack', () => {
  test('the outcomes of an attack are right when the required one is among them, and nothing unexpected', () => {
    expect(outcomeViolations(attack, { 'http 201': 3, 'http 422': 1 })).toEqual([]);
  });

  test.each([
    ['something unexpected', { 'http 422': 1, 'http 500': 2 }, 'the attacker got http 500 (2)'],
    ['nothing of what is required', { 'http 201': 3 }, 'the attacker did not get ^http 422$'],
  ])('the violations of an attack name %s', (_what, outcomes, violation) => {
    expect(outcomeViolations(attack, outcomes)).toEqual([violation]);
  });
});

test('work is repeated by so many at once until it is ended, and none is left under way', async () => {
  let atOnce = 0;
  let most = 0;
  let done = 0;
  const enough = Promise.withResolvers<void>();
  const end = repeatedly(3, async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise(setImmediate);
    atOnce -= 1;
    done += 1;
    if (done === 30) enough.resolve();
  });
  await enough.promise;
  await end();
  const before = done;
  await new Promise(setImmediate);
  expect({ most, atOnce, isOver: done === before }).toEqual({ most: 3, atOnce: 0, isOver: true });
});
