import { busEvents, ContractError, event, type In, job, type Message, rpc } from '@agentclash/contracts';
import { freshNats } from '@agentclash/testkit';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type DynamicModule, type INestMicroservice, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import {
  Bus,
  BusConnection,
  BusServer,
  Handles,
  Hears,
  Listener,
  provisionStreams,
  type Serves,
} from './index.js';

const arithmetic = {
  halve: rpc('arithmetic.v1.halve', {
    input: z.object({ n: z.number() }),
    output: z.object({ half: z.number() }),
  }),
  repeat: rpc('arithmetic.v1.repeat', {
    input: z.object({ count: z.number() }),
    output: z.object({ text: z.string() }),
  }),
  fail: rpc('arithmetic.v1.fail', { input: z.object({ how: z.string() }), output: z.object({}) }),
};
const chores = {
  sweep: job('scoring.v1.sweep', {
    input: z.object({ room: z.string() }),
    ackWaitMs: 1_000,
    deliveriesMax: 3,
  }),
};
const swept = event('scoring.v1.swept', { input: z.object({ room: z.string() }) });

@Handles(arithmetic)
class ArithmeticHandlers implements Serves<typeof arithmetic> {
  halve({ n }: { n: number }) {
    return { half: n / 2 };
  }

  repeat({ count }: { count: number }) {
    return { text: 'x'.repeat(count) };
  }

  fail({ how }: { how: string }): never {
    if (how === 'bug') throw new TypeError('the database password is hunter2');
    throw new ContractError('conflict', 'Two of them.', {
      errors: [{ code: 'x', field: 'a', message: 'm' }],
    });
  }
}

/** What the sweeper does with each delivery of a room, and what it saw. */
const script = {
  plan: new Map<string, unknown[]>(),
  seen: [] as string[],
  heard: [] as string[],
  givenUp: [] as In<typeof busEvents.givenUp>[],
  /** What was given up, as it is counted. */
  counted: [] as string[],
};

@Handles(chores)
class ChoreHandlers implements Serves<typeof chores> {
  async sweep({ room }: { room: string }) {
    script.seen.push(room);
    const failure = script.plan.get(room)?.shift();
    if (failure !== undefined) throw failure;
  }
}

@Listener()
class SweptListener {
  @Hears(swept)
  async onSwept({ room }: { room: string }) {
    script.heard.push(`shared ${room}`);
  }
}

@Listener()
class GivenUpListener {
  @Hears(busEvents.givenUp)
  async onGivenUp(told: In<typeof busEvents.givenUp>) {
    script.givenUp.push(told);
  }
}

@Listener()
class LiveListener {
  @Hears(swept, 'each')
  onSwept({ room }: { room: string }) {
    script.heard.push(`live ${room}`);
  }
}

@Module({})
class HouseModule {}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not come true');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const server = await freshNats();

describe('the bus on a real nats-server', () => {
  const running: { app: INestMicroservice; connection: BusConnection }[] = [];

  beforeAll(async () => {
    const connection = await BusConnection.open({ servers: [server.url], name: 'setup' });
    await provisionStreams(await connection.jetstreamManager());
    await connection.close();
  });

  afterEach(async () => {
    for (const { app, connection } of running.splice(0)) {
      await app.close();
      await connection.close();
    }
    script.seen.length = 0;
    script.heard.length = 0;
    script.givenUp.length = 0;
    script.counted.length = 0;
  });

  async function serve(name: string, controllers: Type[]): Promise<BusConnection> {
    const connection = await BusConnection.open({ servers: [server.url], name });
    const module: DynamicModule = { module: HouseModule, controllers };
    const onGivenUp = ({ subject }: Message, code: string) => void script.counted.push(`${subject} ${code}`);
    const strategy = new BusServer(connection, { concurrency: 4, onGivenUp });
    const app = await NestFactory.createMicroservice(module, { strategy, logger: false });
    await app.listen();
    running.push({ app, connection });
    return connection;
  }

  async function client(): Promise<Bus> {
    return new Bus(await serve('client', []));
  }

  test('a request is answered to an inbox only, on no subject that whoever asks may not speak on', async () => {
    const connection = await serve('arithmetic', [ArithmeticHandlers]);
    const { nats } = connection;
    const heard: string[] = [];
    nats.subscribe('evt.scoring.v1.swept', {
      callback: (_error, message) => void heard.push(message.string()),
    });
    nats.publish(arithmetic.halve.subject, '{"n":4}', { reply: 'evt.scoring.v1.swept' });
    const answer = await nats.request(arithmetic.halve.subject, '{"n":6}');
    await nats.flush();
    expect(answer.json()).toEqual({ ok: true, data: { half: 3 } });
    expect(heard).toEqual([]);
  });

  test('a request reaches its typed handler and the answer comes back', async () => {
    await serve('arithmetic', [ArithmeticHandlers]);
    expect(await (await client()).call(arithmetic.halve, { n: 5 })).toEqual({ half: 2.5 });
  });

  test('an error with a code arrives with code, message and details', async () => {
    await serve('arithmetic', [ArithmeticHandlers]);
    const call = (await client()).call(arithmetic.fail, { how: 'error' });
    await expect(call).rejects.toMatchObject({
      code: 'conflict',
      message: 'Two of them.',
      details: { errors: [{ code: 'x', field: 'a', message: 'm' }] },
    });
  });

  test('a bug arrives as internal and says nothing of its inside', async () => {
    await serve('arithmetic', [ArithmeticHandlers]);
    const failure = await (await client()).call(arithmetic.fail, { how: 'bug' }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'internal' });
    expect(JSON.stringify({ ...failure, message: failure.message })).not.toContain('hunter2');
  });

  test('a reply that is too large for the bus fails at once as too_large, not by a timeout', async () => {
    await serve('arithmetic', [ArithmeticHandlers]);
    const bus = await client();
    const startedAt = performance.now();
    const failure = await bus.call(arithmetic.repeat, { count: 9_000_000 }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'too_large', isRetryable: false });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect((await bus.call(arithmetic.repeat, { count: 100_000 })).text).toHaveLength(100_000);
  });

  test('a message that breaks its contract is refused by the callee with every fault', async () => {
    const connection = await serve('arithmetic', [ArithmeticHandlers]);
    const reply = await connection.nats.request('rpc.arithmetic.v1.halve', '{"n":"five"}', {
      timeout: 2_000,
    });
    expect(reply.json()).toMatchObject({
      ok: false,
      error: {
        code: 'invalid_input',
        message: 'The request is not valid.',
        details: { errors: [{ field: 'n' }] },
      },
    });
    expect(JSON.stringify(reply.json())).not.toContain('arithmetic');
  });

  test('a request that is not JSON is answered, not dropped', async () => {
    const connection = await serve('arithmetic', [ArithmeticHandlers]);
    const reply = await connection.nats.request('rpc.arithmetic.v1.halve', '{', { timeout: 2_000 });
    expect(reply.json()).toMatchObject({ ok: false, error: { code: 'unreadable' } });
  });

  test('a service that is away is unavailable within the time given', async () => {
    const call = (await client()).call(arithmetic.halve, { n: 1 }, 300);
    await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('a job with the same id is done once', async () => {
    await serve('chores', [ChoreHandlers]);
    const bus = await client();
    for (const id of ['a', 'a', 'b']) await bus.send(chores.sweep, { room: `room-${id}` }, `once-${id}`);
    await until(() => script.seen.includes('room-b'));
    expect(script.seen.sort()).toEqual(['room-a', 'room-b']);
  });

  test('a job whose handler fails retryably is tried again until it works', async () => {
    script.plan.set('attic', [new ContractError('unavailable', 'later')]);
    await serve('chores', [ChoreHandlers]);
    await (await client()).send(chores.sweep, { room: 'attic' }, 'retry-1');
    await until(() => script.seen.filter((room) => room === 'attic').length === 2);
  });

  test('a job that can never succeed is ended at once, and outlives the redelivery timer', async () => {
    script.plan.set('cellar', [new ContractError('not_found', 'no cellar'), undefined]);
    await serve('chores', [ChoreHandlers]);
    const bus = await client();
    await bus.send(chores.sweep, { room: 'cellar' }, 'never-1');
    await until(() => script.seen.includes('cellar'));
    const after = Date.now() + chores.sweep.ackWaitMs + 500;
    await until(() => Date.now() > after);
    expect(script.seen).toEqual(['cellar']);
  });

  test('a job that fails to the last is told of, with what it said and no word of the bug', async () => {
    script.plan.set('roof', Array(3).fill(new TypeError('the password is hunter2')));
    await serve('keeper', [GivenUpListener]);
    await serve('chores', [ChoreHandlers]);
    await (await client()).send(chores.sweep, { room: 'roof' }, 'poison-1');
    const told = () => script.givenUp.find(({ content }) => JSON.stringify(content).includes('roof'));
    await until(() => told() !== undefined);
    expect(script.seen.filter((room) => room === 'roof')).toHaveLength(3);
    expect(told()).toMatchObject({
      ...{ service: 'chores', subject: chores.sweep.subject, deliveries: 3 },
      ...{ code: 'internal', content: { room: 'roof' } },
    });
    expect(JSON.stringify(told())).not.toContain('hunter2');
    expect(script.counted).toEqual([`${chores.sweep.subject} internal`]);
  });

  test('a stored event reaches one instance of each service and, bound with each, every live instance', async () => {
    await serve('ear', [SweptListener]);
    await serve('ear', [SweptListener]);
    await serve('eye', [LiveListener]);
    await serve('eye', [LiveListener]);
    await (await client()).publish(swept, { room: 'hall' }, 'event-1');
    await until(() => script.heard.length >= 3);
    expect(script.heard.sort()).toEqual(['live hall', 'live hall', 'shared hall']);
  });

  test('a publisher gets the word of the stream although live listeners hear the same message', async () => {
    await serve('eye', [LiveListener]);
    const bus = await client();
    await expect(bus.publish(swept, { room: 'loft' }, 'event-2')).resolves.toBeUndefined();
    await until(() => script.heard.includes('live loft'));
  });
});
