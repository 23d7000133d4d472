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
  BusServer,
  type BusWatch,
  Handles,
  Hears,
  Listener,
  provisionStreams,
  type Serves,
} from './index.js';

const server = await freshNats();
const room = z.object({ room: z.string() });
const rooms = {
  ask: rpc('rooms.v1.ask', { input: room, output: room }),
  clean: job('scoring.v1.clean', { input: room }),
};
const cleaned = event('scoring.v1.cleaned', { input: room });
const opened = event('rooms.v1.opened', { input: room });

@Handles(rooms)
class RoomsHandlers implements Serves<typeof rooms> {
  ask({ room: asked }: { room: string }) {
    if (asked === 'vault') throw new ContractError('forbidden', 'Not that one.');
    if (asked === 'attic') throw new TypeError('the floor is open');
    return { room: asked };
  }

  clean() {}
}

@Listener()
class CleanedListener {
  @Hears(cleaned)
  onCleaned() {}
}

@Listener()
class LiveListener {
  @Hears(opened, 'each')
  onOpened() {}
}

/** Sends a header with all that goes out, and notes what comes in and how its handling ended. */
class Notes implements BusWatch {
  readonly came: { subject: string; mark: string | undefined; waitedMs: number | undefined; end: string }[] =
    [];

  async outgoing<T>(message: Message, send: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    return await send({ mark: `for ${message.subject}` });
  }

  async incoming<T>({ message, header, waitedMs }: Arrival, work: () => Promise<T>): Promise<T> {
    const note = (end: string) =>
      this.came.push({ subject: message.subject, mark: header('mark'), waitedMs, end });
    try {
      const result = await work();
      note('ok');
      return result;
    } catch (error) {
      note(error instanceof ContractError ? error.code : 'bug');
      throw error;
    }
  }
}

@Module({ controllers: [RoomsHandlers, CleanedListener, LiveListener] })
class RoomsModule {}

describe('what goes along with messages on a real nats-server', () => {
  let notes: Notes;
  let bus: Bus;
  let connection: BusConnection;
  let app: INestMicroservice;

  beforeAll(async () => {
    connection = await BusConnection.open({ servers: [server.url], name: 'rooms' });
    await provisionStreams(await connection.jetstreamManager());
    // Forwards, so that each test has notes of its own.
    const watch: BusWatch = {
      outgoing: (message, send) => notes.outgoing(message, send),
      incoming: (arrival, work) => notes.incoming(arrival, work),
    };
    bus = new Bus(connection, watch);
    const strategy = new BusServer(connection, { concurrency: 2, watch });
    app = await NestFactory.createMicroservice(RoomsModule, { strategy, logger: false });
    await app.listen();
  }, 60_000);
  afterAll(async () => {
    await app?.close();
    await connection?.close();
  });
  beforeEach(() => {
    notes = new Notes();
  });

  test('reaches the handler of a request with its headers, and leaves answer and errors as they are', async () => {
    expect(await bus.call(rooms.ask, { room: 'hall' })).toEqual({ room: 'hall' });
    await expect(bus.call(rooms.ask, { room: 'vault' })).rejects.toMatchObject({
      code: 'forbidden',
      message: 'Not that one.',
    });
    await expect(bus.call(rooms.ask, { room: 'attic' })).rejects.toMatchObject({ code: 'internal' });
    const [subject, mark] = [rooms.ask.subject, `for ${rooms.ask.subject}`];
    expect(notes.came).toEqual(
      ['ok', 'forbidden', 'bug'].map((end) => ({ subject, mark, waitedMs: undefined, end })),
    );
  });

  test('reaches jobs and stored events, with how long the stream had them; what all hear came from no stream', async () => {
    await bus.send(rooms.clean, { room: 'hall' }, 'clean-hall');
    await bus.publish(cleaned, { room: 'hall' }, 'cleaned-hall');
    await bus.publish(opened, { room: 'hall' }, 'opened-hall');
    await waitFor(() => notes.came.length === 3);
    const waits = (subject: string) =>
      notes.came
        .filter((note) => note.subject === subject && note.mark === `for ${subject}`)
        .map(({ waitedMs }) => waitedMs);
    expect(waits(rooms.clean.subject)).toEqual([expect.any(Number)]);
    expect(waits(cleaned.subject)).toEqual([expect.any(Number)]);
    expect(waits(opened.subject)).toEqual([undefined]);
    expect(notes.came.every(({ waitedMs = 0 }) => waitedMs >= 0 && waitedMs < 60_000)).toBe(true);
  });
});
