import { describe, expect, test } from '@jest/globals';
import { SandboxError } from '../sandbox-error.js';
import { decodeFigures, InsideClient, withoutCpuTime } from './client.js';
import type { TaskRequest } from './task-request.js';
import type { InsideLink } from './wire.js';

const REQUEST: TaskRequest = { verb: 'exec', cwd: '/', roots: ['/'], args: ['true'] };
const FRAMES = { ready: 1, stdout: 2, stderr: 3, credit: 4, exit: 5, done: 6, started: 9 } as const;

/** The other side, under the test's control. */
class FakeLink implements InsideLink {
  readonly sent: { type: number; id: number; length: number }[] = [];
  isKilled = false;
  #listener: (bytes: Buffer) => void = () => {};

  send(bytes: Buffer): void {
    this.sent.push({ type: bytes.readUInt32LE(4), id: bytes.readUInt32LE(8), length: bytes.readUInt32LE(0) });
  }

  onBytes(listener: (bytes: Buffer) => void): void {
    this.#listener = listener;
  }

  kill(): void {
    this.isKilled = true;
  }

  receive(type: keyof typeof FRAMES, id: number, payload: readonly number[] = []): void {
    const frame = Buffer.alloc(12 + payload.length);
    frame.writeUInt32LE(payload.length, 0);
    frame.writeUInt32LE(FRAMES[type], 4);
    frame.writeUInt32LE(id, 8);
    frame.set(payload, 12);
    this.#listener(frame);
  }

  shout(bytes: Buffer): void {
    this.#listener(bytes);
  }
}

function started() {
  const link = new FakeLink();
  const client = new InsideClient(link);
  const received: string[] = [];
  const listen = {
    onStdout: (chunk: Buffer) => void received.push(`out ${chunk}`),
    onStderr: (chunk: Buffer) => void received.push(`err ${chunk}`),
    onStarted: () => void received.push('started'),
  };
  link.receive('ready', 0);
  return { link, client, received, start: () => client.start(REQUEST, listen) };
}

describe('the client of the process inside', () => {
  test('the client passes output and exit on to the task that they name', async () => {
    const { link, received, start } = started();
    const [first, second] = [start(), start()];
    link.receive('stdout', 2, [...Buffer.from('b')]);
    link.receive('stderr', 1, [...Buffer.from('a')]);
    link.receive('started', 1);
    link.receive('exit', 2, [0, 0, 7, 0]);
    link.receive('exit', 1, [1, 3, 9, 0, 0, 1, 0, 0]);
    expect(received).toEqual(['out b', 'err a', 'started']);
    expect(await second.exit).toEqual({ kind: 'code', code: 7, timedOut: false, truncated: false });
    const exit = { kind: 'signal', signal: 9, timedOut: true, truncated: true, ranMs: 256 };
    expect(await first.exit).toEqual(exit);
  });

  test('the client ignores frames about tasks that it did not start or that have ended', () => {
    const { link, received, start } = started();
    start();
    link.receive('exit', 1, [0, 0, 0, 0]);
    link.receive('stdout', 99, [65]);
    link.receive('exit', 99, [0, 0, 0, 0]);
    link.receive('done', 99);
    expect([received, link.isKilled]).toEqual([[], false]);
  });

  test.each([
    ['an unknown type', Buffer.from([0, 0, 0, 0, 99, 0, 0, 0, 1, 0, 0, 0])],
    ['an enormous length', Buffer.from([0xff, 0xff, 0xff, 0x7f, 2, 0, 0, 0, 1, 0, 0, 0])],
    ['an exit without a result', Buffer.from([0, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0])],
  ])('the client ends a sandbox that sends %s', (_, bytes) => {
    const { link, start } = started();
    start().exit.catch(() => {});
    link.shout(bytes);
    expect(link.isKilled).toBe(true);
  });

  test('the client fails all current and later requests when the sandbox has died', async () => {
    const { client, start } = started();
    const task = start();
    const ping = client.ping();
    const death = new SandboxError('sandbox_dead', 'gone', { death: 'killed' });
    client.close(death);
    await expect(task.exit).rejects.toBe(death);
    await expect(ping).rejects.toBe(death);
    expect(start).toThrow(death);
  });

  test('the client never sends more input than the window of the other side admits', async () => {
    const { link, start } = started();
    const task = start();
    const sending = task.sendInput([Buffer.alloc(1_000_000)]);
    await new Promise((resolve) => setImmediate(resolve));
    const sent = () =>
      link.sent.filter(({ type }) => type === 2).reduce((sum, { length }) => sum + length, 0);
    expect(sent()).toBe(262_144);
    link.receive('credit', 1, [0, 0, 1, 0]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent()).toBe(262_144 + 65_536);
    link.receive('exit', 1, [0, 0, 0, 0]);
    await sending;
    expect(link.sent.at(-1)?.type).toBe(2);
  });
});

const UNKNOWN = 2n ** 64n - 1n;

function payloadOf(...figures: bigint[]): Buffer {
  const payload = Buffer.alloc(8 * figures.length);
  for (const [index, figure] of figures.entries()) payload.writeBigUInt64LE(figure, 8 * index);
  return payload;
}

test('figures of the process inside are those of the sandbox, and a figure that it cannot read is absent', () => {
  expect(decodeFigures(payloadOf(4096n, 8192n, 1_500n, 3n, 0n))).toEqual({
    memoryBytes: 4096,
    memoryPeakBytes: 8192,
    cpuMs: 1.5,
    processes: 3,
    oomKills: 0,
  });
  expect(decodeFigures(payloadOf(UNKNOWN, UNKNOWN, UNKNOWN, 3n, UNKNOWN))).toEqual({ processes: 3 });
});

test('a payload that is too short, as of an older process inside, has no figures', () => {
  expect(decodeFigures(Buffer.alloc(0))).toEqual({});
  expect(decodeFigures(payloadOf(1n).subarray(0, 7))).toEqual({});
});

test('the figures of a kernel of its own are known, but for its CPU time', () => {
  expect(withoutCpuTime(decodeFigures(payloadOf(UNKNOWN, UNKNOWN, 1_500n, 3n, 0n)))).toEqual({
    processes: 3,
    oomKills: 0,
  });
});
