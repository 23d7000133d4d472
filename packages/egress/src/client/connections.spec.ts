import { expect, test } from '@jest/globals';
import { Connection, IdleConnections } from './connections.js';

test('A connection has as many listeners after a hundred requests as before', () => {
  const { signal } = new AbortController();
  const connection = new Connection(
    'http://a.example',
    { host: 'a.example', port: 80, pinned: [], signal },
    { onCause: () => {} },
  );
  const idle = new IdleConnections();
  const before = connection.client.listenerCount('disconnect');
  for (let request = 0; request < 100; request += 1) idle.give('account', connection);
  expect(connection.client.listenerCount('disconnect')).toBe(before);
  connection.close();
});
