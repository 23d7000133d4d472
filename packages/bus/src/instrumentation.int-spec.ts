import { ContractError, event, job, type Message, rpc } from '@agentclash/contracts';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import {
  type Arrival,
  Bus,
  BusConnection,
  type BusInstrumentation,
  BusServer,
  Handles,
  Listener,
  provisionStreams,
  type Serves,
  Subscribes,
} from './index.js';

const server = await freshNats();
const item = z.object({ name: z.string() });
const items = {
  find: rpc('items.v1.find', { input: item, output: item }),
  clean: job('scoring.v1.clean', { input: item }),
};
const cleaned = event('scoring.v1.cleaned', { input: item });
const opened = event('items.v1.opened', { input: item });

@Handles(items)
class ItemsHandlers implements Serves<typeof items> {
  find({ name }: { name: string }) {
    if (name === 'vault') throw new ContractError('forbidden', 'Not that one.');
    if (name === 'attic') throw new TypeError('x is not a function');
    return { name };
  }

  clean() {}
}

@Listener()
class CleanedListener {
  @Subscribes(cleaned)
  onCleaned() {}
}

@Listener()
class LiveListener {
  @Subscribes(opened, 'each')
  onOpened() {}
}

/** Attaches a header to every sent message; records received messages and the outcome of their handling. */
class Recorder implements BusInstrumentation {
  readonly received: {
    subject: string;
    mark: string | undefined;
    waitedMs: number | undefined;
    end: string;
  }[] = [];

  async outgoing<T>(message: Message, send: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    return await send({ mark: `for ${message.subject}` });
  }

  async incoming<T>({ message, header, waitedMs }: Arrival, work: () => Promise<T>): Promise<T> {
    const record = (end: string) =>
      this.received.push({ subject: message.subject, mark: header('mark'), waitedMs, end });
    try {
      const result = await work();
      record('ok');
      return result;
    } catch (error) {
      record(error instanceof ContractError ? error.code : 'bug');
      throw error;
    }
  }
}

@Module({ controllers: [ItemsHandlers, CleanedListener, LiveListener] })
class ItemsModule {}

describe('the instrumentation of messages on a real nats-server', () => {
  let recorder: Recorder;
  let bus: Bus;
  let connection: BusConnection;
  let app: INestMicroservice;

  beforeAll(async () => {
    connection = await BusConnection.open({ servers: [server.url], name: 'items' });
    await provisionStreams(await connection.jetstreamManager());
    // Forwards, so that each test has its own recorder.
    const instrumentation: BusInstrumentation = {
      outgoing: (message, send) => recorder.outgoing(message, send),
      incoming: (arrival, work) => recorder.incoming(arrival, work),
    };
    bus = new Bus(connection, instrumentation);
    const strategy = new BusServer(connection, { concurrency: 2, instrumentation });
    app = await NestFactory.createMicroservice(ItemsModule, { strategy, logger: false });
    await app.listen();
  }, 60_000);
  afterAll(async () => {
    await app?.close();
    await connection?.close();
  });
  beforeEach(() => {
    recorder = new Recorder();
  });

  test('the instrumentation passes headers to the handler of a request, and does not change replies and errors', async () => {
    expect(await bus.call(items.find, { name: 'hall' })).toEqual({ name: 'hall' });
    await expect(bus.call(items.find, { name: 'vault' })).rejects.toMatchObject({
      code: 'forbidden',
      message: 'Not that one.',
    });
    await expect(bus.call(items.find, { name: 'attic' })).rejects.toMatchObject({ code: 'internal' });
    const [subject, mark] = [items.find.subject, `for ${items.find.subject}`];
    expect(recorder.received).toEqual(
      ['ok', 'forbidden', 'bug'].map((end) => ({ subject, mark, waitedMs: undefined, end })),
    );
  });

  test('the instrumentation reports the time of jobs and stored events in the stream, not of broadcast events', async () => {
    await bus.send(items.clean, { name: 'hall' }, 'clean-hall');
    await bus.publish(cleaned, { name: 'hall' }, 'cleaned-hall');
    await bus.publish(opened, { name: 'hall' }, 'opened-hall');
    await waitFor(() => recorder.received.length === 3);
    const waits = (subject: string) =>
      recorder.received
        .filter((entry) => entry.subject === subject && entry.mark === `for ${subject}`)
        .map(({ waitedMs }) => waitedMs);
    expect(waits(items.clean.subject)).toEqual([expect.any(Number)]);
    expect(waits(cleaned.subject)).toEqual([expect.any(Number)]);
    expect(waits(opened.subject)).toEqual([undefined]);
    expect(recorder.received.every(({ waitedMs = 0 }) => waitedMs >= 0 && waitedMs < 60_000)).toBe(true);
  });
});
