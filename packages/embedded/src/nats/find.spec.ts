import { expect, test } from '@jest/globals';
import { newest } from './find.js';

test('of several nats-servers the newest is taken, and the first of equals', () => {
  const [old, current, same] = ['2.9.10', '2.15.1', '2.15.1'].map((version, at) => ({
    file: `${at}`,
    version,
  }));
  if (!old || !current || !same) throw new Error('unreachable');
  expect(newest([old, current, same])).toBe(current);
  expect(newest([])).toBeUndefined();
});
