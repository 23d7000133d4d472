import { waitFor } from '@agentclash/testkit';
import { expect, test } from '@jest/globals';
import { Heartbeat } from './heartbeat.js';

test('a process that replies to heartbeats is left alone, and one that stops replying is reported once', async () => {
  let sent = 0;
  let silences = 0;
  let isReplying = true;
  const heartbeat: Heartbeat = new Heartbeat({
    everyMs: 1,
    missedMax: 5,
    send: () => {
      sent += 1;
      if (isReplying) heartbeat.replied();
    },
    onSilence: () => {
      silences += 1;
    },
  });
  await waitFor(() => sent >= 20);
  expect(silences).toBe(0);
  isReplying = false;
  const before = sent;
  await waitFor(() => silences > 0);
  expect(sent - before).toBeLessThanOrEqual(6);
  const after = sent;
  await new Promise((resolve) => setImmediate(resolve));
  expect({ silences, sent }).toEqual({ silences: 1, sent: after });
});

test('a stopped heartbeat sends nothing', async () => {
  let sent = 0;
  const send = () => {
    sent += 1;
  };
  const heartbeat = new Heartbeat({ everyMs: 1, missedMax: 1_000, send, onSilence: () => {} });
  await waitFor(() => sent >= 3);
  heartbeat.stop();
  const before = sent;
  let ticks = 0;
  const clock = new Heartbeat({
    everyMs: 1,
    missedMax: 1_000,
    send: () => {
      ticks += 1;
    },
    onSilence: () => {},
  });
  await waitFor(() => ticks >= 10);
  clock.stop();
  expect(sent).toBe(before);
});
