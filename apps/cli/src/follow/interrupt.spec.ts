import { afterEach, expect, test } from '@jest/globals';
import { Interrupt } from './interrupt.js';

let interrupt: Interrupt | undefined;
afterEach(() => interrupt?.release());

const handlers = () => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');

test.each(['SIGINT', 'SIGTERM'] as const)(
  'what ends once leaves the second %s to the system, which ends the program at once',
  (signal) => {
    const before = handlers();
    let calls = 0;
    interrupt = new Interrupt(() => calls++);
    expect(handlers()).toBe(before + 2);
    process.emit(signal);
    expect({ calls, happened: interrupt.happened, handlers: handlers() }).toEqual({
      ...{ calls: 1, happened: true, handlers: before },
    });
  },
);

test('what ends in order handles every signal until it is released', () => {
  const before = handlers();
  interrupt = new Interrupt();
  process.emit('SIGINT');
  expect(interrupt.happened).toBe(true);
  expect(handlers()).toBe(before + 2);
  interrupt.release();
  expect(handlers()).toBe(before);
});
