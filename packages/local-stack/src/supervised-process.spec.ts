import { describe, expect, test } from '@jest/globals';
import { type Running, SupervisedProcess } from './supervised-process.js';

class Server implements Running {
  end: () => void = () => {};
  readonly exited = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  async stop(): Promise<void> {
    this.end();
  }
}

/** The processes that are started, in order, and the waiters for the next one. */
function recordedStarts() {
  const started: Server[] = [];
  const log: string[] = [];
  const waiting: ((server: Server) => void)[] = [];
  const start = async () => {
    const server = new Server();
    started.push(server);
    waiting.shift()?.(server);
    return server;
  };
  const next = () => new Promise<Server>((resolve) => waiting.push(resolve));
  return { started, start, next, log: (line: string) => log.push(line), lines: log };
}

describe('a process that is kept running', () => {
  test('a supervised process that ends by itself is started again, with the one before as its input', async () => {
    const { start, next, log, started } = recordedStarts();
    const before: (Server | undefined)[] = [];
    const from = (ended?: Server) => {
      before.push(ended);
      return start();
    };
    const kept = await SupervisedProcess.start({ name: 'PostgreSQL', start: from, log });
    const second = next();
    started[0]?.end();
    await second;
    expect(before).toEqual([undefined, started[0]]);
    await kept.stop();
    expect(kept.current).toBe(started[1]);
  });

  test('a supervised process that ends again and again is reported as lost', async () => {
    const { start, next, log, started, lines } = recordedStarts();
    const kept = await SupervisedProcess.start({ name: 'nats-server', start, log, restartsMax: 2 });
    for (const index of [0, 1]) {
      const again = next();
      started[index]?.end();
      await again;
    }
    started[2]?.end();
    expect(await kept.lost).toBe('nats-server');
    expect(started).toHaveLength(3);
    expect(lines.filter((line) => line.includes('was started again'))).toHaveLength(2);
  });

  test('a supervised process that does not start any more is reported as lost', async () => {
    const { start, log, started, lines } = recordedStarts();
    const once = async () => {
      if (started.length > 0) throw new Error('the disk is full');
      return await start();
    };
    const kept = await SupervisedProcess.start({ name: 'PostgreSQL', start: once, log, restartsMax: 1 });
    started[0]?.end();
    expect(await kept.lost).toBe('PostgreSQL');
    expect(lines).toContain('PostgreSQL could not be started again: the disk is full');
  });

  test('a supervised process that was stopped is not started again', async () => {
    const { start, log, started, lines } = recordedStarts();
    const kept = await SupervisedProcess.start({ name: 'PostgreSQL', start, log });
    await kept.stop();
    await started[0]?.exited;
    expect(started).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  test('a supervised process is stopped while it is being started again, too', async () => {
    const { start, next, log, started } = recordedStarts();
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slowly = async (ended?: Server) => {
      const server = await start();
      if (ended) await gate;
      return server;
    };
    const kept = await SupervisedProcess.start({ name: 'PostgreSQL', start: slowly, log });
    const second = next();
    started[0]?.end();
    await second;
    const stopped = kept.stop();
    open();
    await stopped;
    await started[1]?.exited;
    expect(started).toHaveLength(2);
  });
});
