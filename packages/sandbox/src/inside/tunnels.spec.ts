import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Tunnels } from './tunnels.js';
import { encodeNumber, type Frame, type InsideLink, TUNNEL_ID_BIT } from './wire.js';

const PORT = 13_131;
const WINDOW_BYTES = 256 << 10;
const [INPUT, CREDIT] = [2, 5];

/** One connection, opened by the process inside. */
function opened(onConnection: (stream: Duplex) => void) {
  const sent: { type: number; payload: Buffer }[] = [];
  const link: InsideLink = {
    send: (bytes) => void sent.push({ type: bytes.readUInt32LE(4), payload: bytes.subarray(12) }),
    onBytes: () => {},
    kill: () => {},
  };
  const tunnels = new Tunnels(link);
  tunnels.listen(PORT, onConnection);
  const receive = (type: Frame['type'], payload: Buffer) =>
    tunnels.onFrame({ type, taskId: TUNNEL_ID_BIT, payload });
  receive('opened', encodeNumber(PORT));
  const acknowledged = () =>
    sent.filter(({ type }) => type === CREDIT).reduce((sum, { payload }) => sum + payload.readUInt32LE(), 0);
  return { sent, receive, acknowledged };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a connection out of a sandbox', () => {
  test('the head and each part of an HTTP reply are one message to the sandbox', async () => {
    const server = createServer((_request, response) => {
      response.flushHeaders();
      response.write('part');
      setImmediate(() => response.end());
    });
    const { sent, receive } = opened((stream) => server.emit('connection', stream));
    receive('stdout', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    while (!sent.some(({ payload }) => payload.toString().endsWith('0\r\n\r\n'))) await settled();
    expect(sent.map(({ type }) => type)).toEqual([INPUT, INPUT, INPUT]);
    expect(sent[1]?.payload.toString()).toBe('4\r\npart\r\n');
    server.close();
  });

  test('a process inside that keeps to the window is never stopped, however its output is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 64 << 10 }), { minLength: 1, maxLength: 40 }),
        async (sizes) => {
          let read = 0;
          const { receive, acknowledged } = opened((stream) => {
            stream.on('data', (chunk: Buffer) => {
              read += chunk.length;
            });
          });
          let written = 0;
          for (const size of sizes) {
            for (let rest = size; rest > 0; ) {
              const piece = Math.min(rest, WINDOW_BYTES - (written - acknowledged()));
              expect(piece).toBeGreaterThan(0);
              receive('stdout', Buffer.alloc(piece));
              await settled();
              written += piece;
              rest -= piece;
            }
          }
          expect(read).toBe(written);
          expect(acknowledged()).toBeLessThanOrEqual(read);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('output that is not read is not acknowledged, and more than the window is refused', () => {
    const { receive, acknowledged } = opened(() => {});
    for (let sent = 0; sent < WINDOW_BYTES; sent += 64 << 10) receive('stdout', Buffer.alloc(64 << 10));
    expect(acknowledged()).toBe(0);
    expect(() => receive('stdout', Buffer.alloc(1))).toThrow(RangeError);
  });
});
