import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, type BusLogin, count, type Outcomes, repeatedly } from './attack.js';
import { RawBusClient } from './raw-bus-client.js';

const CONNECTIONS = { short: 2, whole: 4 } as const;
/** Messages that a connection sends at a time, of some 60 KiB: 12 MB/s for each connection. */
const TOGETHER = 4;
const SEND_EVERY_MS = 20;
const JUNK = Buffer.alloc(60 * 1_024, '{');
/** A client of the library does not send more than the server's advertised maximum. */
const OVERSIZE = Buffer.alloc(8_192 * 1_024, '{');
const OVERSIZE_EVERY_MS = 200;

/** An internal service that sends junk instead of requests for runs, some of it larger than it may be. */
export const busApiFlood: Attack = {
  summary: 'junk instead of requests for runs, on the message bus',
  expected: [/^stored$/, /^connection closed$/, /^refused: maximum messages per subject exceeded$/],
  required: /^refused: maximum payload violation$/,
  start: async ({ bus, scale }) => {
    const outcomes: Outcomes = {};
    const ends = [
      ...Array.from({ length: CONNECTIONS[scale] }, () => flood(bus, outcomes)),
      repeatedly(1, () => sendOversize(bus, outcomes)),
    ];
    return {
      end: async () => {
        await Promise.all(ends.map((end) => end()));
        return outcomes;
      },
    };
  },
};

/** One connection at a time; another one when the server has closed it. */
function flood(bus: BusLogin, outcomes: Outcomes): () => Promise<Outcomes> {
  let client: RawBusClient | undefined;
  const end = repeatedly(1, async () => {
    if (client === undefined || client.isClosed) {
      if (client !== undefined) count(outcomes, 'connection closed');
      client = new RawBusClient(bus, (outcome) => count(outcomes, outcome));
    }
    for (let sent = 0; sent < TOGETHER; sent += 1) client.publish(subjectOf(bus), JUNK);
    await client.drained();
    await delay(SEND_EVERY_MS);
  });
  return async () => {
    await end();
    await client?.close();
    return outcomes;
  };
}

async function sendOversize(bus: BusLogin, outcomes: Outcomes): Promise<void> {
  const client = new RawBusClient(bus, (outcome) => count(outcomes, outcome));
  client.publish(subjectOf(bus), OVERSIZE);
  await client.closed;
  await delay(OVERSIZE_EVERY_MS);
}

function subjectOf({ workspaceId }: BusLogin): string {
  return `job.runs.v1.request.${workspaceId}`;
}
