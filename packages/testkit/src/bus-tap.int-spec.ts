import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { tapBus } from './bus-tap.js';
import { freshNats } from './fresh-nats.js';
import { waitFor } from './wait-for.js';

const open = await freshNats();
const closed = await freshNats({
  config: 'authorization { user: a, password: $A_PASSWORD }',
  env: { A_PASSWORD: 'x' },
});

test('every call starts a separate server', () => {
  expect(open.port).not.toBe(closed.port);
});

const nats = await freshNats();
const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-tap-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the tap records messages with their reply subjects, however the stream is fragmented', async () => {
  const file = path.join(folder, 'recordings.ndjson');
  const stop = await tapBus(nats.url, file);
  const { hostname, port } = new URL(nats.url);
  const socket = connect(Number(port), hostname);
  const text = '{"word": "größer"}';
  const frames = `CONNECT {}\r\nPUB rpc.a _INBOX.1 ${Buffer.byteLength(text)}\r\n${text}\r\nPUB evt.b 2\r\n{}\r\n`;
  for (const byte of Buffer.from(frames)) socket.write(Buffer.of(byte));
  const recordings = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await waitFor(() => recordings().length === 2);
  expect(recordings()).toEqual([
    { subject: 'rpc.a', reply: '_INBOX.1', data: text },
    { subject: 'evt.b', data: '{}' },
  ]);
  socket.destroy();
  await stop();
});
