import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { enterOn } from './terminal.js';

const never = new AbortController().signal;

test.each([
  ['Enter', (input: PassThrough) => void input.write('\n')],
  ['Enter behind other keys', (input: PassThrough) => void [input.write('so'), input.write('me\r')]],
  ['the end of the input', (input: PassThrough) => void input.end()],
])('the demo stays until %s', async (_what, act) => {
  const input = new PassThrough();
  let isOver = false;
  const over = enterOn(input, never).then(() => {
    isOver = true;
  });
  input.write('keys');
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  act(input);
  await over;
  expect(input.listenerCount('data')).toBe(0);
});

test('the demo stays until a signal, also one that came before', async () => {
  const interruption = new AbortController();
  const over = enterOn(new PassThrough(), interruption.signal);
  interruption.abort();
  await over;
  await enterOn(new PassThrough(), interruption.signal);
  expect(interruption.signal.aborted).toBe(true);
});
