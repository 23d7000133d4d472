import { expect, test } from '@jest/globals';
import { KeyedLine } from './keyed-line.js';

test('works of one key are done in the order they came, also after one that failed', async () => {
  const line = new KeyedLine();
  const done: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = line.run('a', async () => {
    await gate;
    done.push('a1');
    throw new Error('a1 failed');
  });
  const second = line.run('a', async () => done.push('a2'));
  await line.run('b', async () => done.push('b1'));
  open();
  await expect(first).rejects.toThrow('a1 failed');
  await second;
  expect(done).toEqual(['b1', 'a1', 'a2']);
});
