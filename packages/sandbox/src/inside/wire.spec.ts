import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FRAME_PAYLOAD_MAX, FrameDecoder } from './wire.js';

const TYPES = ['ready', 'stdout', 'stderr', 'credit', 'exit', 'done', 'opened', 'outputEnd'] as const;

function bytesOf(type: number, taskId: number, payload: Uint8Array, length = payload.length): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt32LE(length, 0);
  header.writeUInt32LE(type, 4);
  header.writeUInt32LE(taskId, 8);
  return Buffer.concat([header, payload]);
}

test('frames are decoded the same at every cut of the bytes', () => {
  const frame = fc.record({
    type: fc.integer({ min: 1, max: 8 }),
    taskId: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    payload: fc.uint8Array({ maxLength: 40 }),
  });
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (frames, cuts) => {
        const bytes = Buffer.concat(
          frames.map(({ type, taskId, payload }) => bytesOf(type, taskId, payload)),
        );
        const decoder = new FrameDecoder();
        const decoded = [];
        for (let at = 0, cut = 0; at < bytes.length; cut++) {
          const size = cuts[cut % cuts.length] ?? 1;
          decoded.push(...decoder.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(decoded.map(({ type, taskId, payload }) => ({ type, taskId, payload: [...payload] }))).toEqual(
          frames.map(({ type, taskId, payload }) => ({
            type: TYPES[type - 1],
            taskId,
            payload: [...payload],
          })),
        );
      },
    ),
  );
});

test.each([
  ['an unknown type', bytesOf(10, 1, Buffer.alloc(0))],
  ['type zero', bytesOf(0, 1, Buffer.alloc(0))],
  ['a payload beyond the maximum', bytesOf(2, 1, Buffer.alloc(0), FRAME_PAYLOAD_MAX + 1)],
])('the frame with %s is malformed before its payload arrives', (_, bytes) => {
  expect(() => new FrameDecoder().push(bytes)).toThrow('malformed');
});
