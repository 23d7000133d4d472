import { expect, test } from '@jest/globals';
import { freshNats } from './fresh-nats.js';

const open = await freshNats();
const closed = await freshNats({
  config: 'authorization { user: a, password: $A_PASSWORD }',
  env: { A_PASSWORD: 'x' },
});

test('every call starts a separate server', () => {
  expect(open.port).not.toBe(closed.port);
});
