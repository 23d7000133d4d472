import { busEvents, ContractError, event, type In, job, type Message, rpc } from '@agentclash/contracts';
import { freshNats, waitFor } from '@agentclash/testkit';
import { slowdown } from '@agentclash/testkit/event-loop';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type DynamicModule, type INestMicroservice, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import {
  Bus,
  BusConnection,
  BusServer,
  Handles,
  Listener,
  LOGGER,
  provisionStreams,
  type Serves,
  Subscribes,
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
const jobs = {
  clean: job('scoring.v1.clean', {
    input: z.object({ name: z.string() }),
    ackWaitMs: 1_000,
    deliveriesMax: 3,
  }),
};
const cleaned = event('scoring.v1.cleaned', { input: z.object({ name: z.string() }) });

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

/** The errors that the job handler throws for each delivery of a name, and what was received. */
const script = {
  plan: new Map<string, unknown[]>(),
  seen: [] as string[],
  received: [] as string[],
  deadLetters: [] as In<typeof busEvents.deadLetter>[],
  /** The calls of `onDeadLetter`. */
  counted: [] as string[],
};

@Handles(jobs)
class JobHandlers implements Serves<typeof jobs> {
  async clean({ name }: { name: string }) {
    script.seen.push(name);
    const failure = script.plan.get(name)?.shift();
    if (failure !== undefined) throw failure;
  }
}

@Listener()
class SharedListener {
  @Subscribes(cleaned)
  async onCleaned({ name }: { name: string }) {
    script.received.push(`shared ${name}`);
  }
}

@Listener()
class DeadLetterListener {
  @Subscribes(busEvents.deadLetter)
  async onDeadLetter(deadLetter: In<typeof busEvents.deadLetter>) {
    script.deadLetters.push(deadLetter);
  }
}

@Listener()
class LiveListener {
  @Subscribes(cleaned, 'each')
  onCleaned({ name }: { name: string }) {
    script.received.push(`live ${name}`);
  }
}

@Module({})
class TestModule {}

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
    logged.length = 0;
    script.seen.length = 0;
    script.received.length = 0;
    script.deadLetters.length = 0;
    script.counted.length = 0;
  });

  const logged: object[] = [];
  const log = (fields: object, message: string) => void logged.push({ ...fields, message });
  const logger = { warn: log, error: log };

  async function serve(name: string, controllers: Type[]): Promise<BusConnection> {
    const connection = await BusConnection.open({ servers: [server.url], name });
    const providers = [{ provide: LOGGER, useValue: logger }];
    const module: DynamicModule = { module: TestModule, controllers, providers };
    const onDeadLetter = ({ subject }: Message, code: string) =>
      void script.counted.push(`${subject} ${code}`);
    const strategy = new BusServer(connection, { concurrency: 4, logger, onDeadLetter });
    const app = await NestFactory.createMicroservice(module, { strategy, logger: false });
    await app.listen();
    running.push({ app, connection });
    return connection;
  }

  async function client(): Promise<Bus> {
    return new Bus(await serve('client', []));
  }

  test('a reply is published to an inbox only, never to a subject that the caller may not publish on', async () => {
    const connection = await serve('arithmetic', [ArithmeticHandlers]);
    const { nats } = connection;
    const received: string[] = [];
    nats.subscribe('evt.scoring.v1.cleaned', {
      callback: (_error, message) => void received.push(message.string()),
    });
    nats.publish(arithmetic.halve.subject, '{"n":4}', { reply: 'evt.scoring.v1.cleaned' });
    const reply = await nats.request(arithmetic.halve.subject, '{"n":6}');
    await nats.flush();
    expect(reply.json()).toEqual({ ok: true, data: { half: 3 } });
    expect(received).toEqual([]);
  });

  test('a request reaches its typed handler and the reply arrives', async () => {
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

  test('a bug arrives as internal, without its message', async () => {
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
    expect(performance.now() - startedAt).toBeLessThan(2_000 * slowdown());
    expect((await bus.call(arithmetic.repeat, { count: 100_000 })).text).toHaveLength(100_000);
  });

  test('the callee rejects a message that violates its contract with every problem', async () => {
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
    expect(logged).toEqual([
      expect.objectContaining({ message: 'message rejected', subject: arithmetic.halve.subject }),
    ]);
  });

  test('a request that is not JSON gets an error reply', async () => {
    const connection = await serve('arithmetic', [ArithmeticHandlers]);
    const reply = await connection.nats.request('rpc.arithmetic.v1.halve', '{', { timeout: 2_000 });
    expect(reply.json()).toMatchObject({ ok: false, error: { code: 'unreadable' } });
  });

  test('a call of a service that does not run fails with unavailable within the timeout', async () => {
    const call = (await client()).call(arithmetic.halve, { n: 1 }, 300);
    await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('a job with the same id is handled once', async () => {
    await serve('jobs', [JobHandlers]);
    const bus = await client();
    for (const id of ['a', 'a', 'b']) await bus.send(jobs.clean, { name: `name-${id}` }, `once-${id}`);
    await waitFor(() => script.seen.includes('name-b'));
    expect(script.seen.sort()).toEqual(['name-a', 'name-b']);
  });

  test('a job whose handler fails with a retryable error is retried until it succeeds', async () => {
    script.plan.set('attic', [new ContractError('unavailable', 'later')]);
    await serve('jobs', [JobHandlers]);
    await (await client()).send(jobs.clean, { name: 'attic' }, 'retry-1');
    await waitFor(() => script.seen.filter((name) => name === 'attic').length === 2);
  });

  test('a job that cannot succeed is terminated at once and not redelivered', async () => {
    script.plan.set('cellar', [new ContractError('not_found', 'no cellar'), undefined]);
    await serve('jobs', [JobHandlers]);
    const bus = await client();
    await bus.send(jobs.clean, { name: 'cellar' }, 'never-1');
    await waitFor(() => script.seen.includes('cellar'));
    const after = Date.now() + jobs.clean.ackWaitMs + 500;
    await waitFor(() => Date.now() > after);
    expect(script.seen).toEqual(['cellar']);
  });

  test('a job that fails on its last delivery is published as a dead letter, without the text of the bug', async () => {
    script.plan.set('roof', Array(3).fill(new TypeError('the password is hunter2')));
    await serve('observer', [DeadLetterListener]);
    await serve('jobs', [JobHandlers]);
    await (await client()).send(jobs.clean, { name: 'roof' }, 'poison-1');
    const deadLetter = () =>
      script.deadLetters.find(({ content }) => JSON.stringify(content).includes('roof'));
    await waitFor(() => deadLetter() !== undefined);
    expect(script.seen.filter((name) => name === 'roof')).toHaveLength(3);
    expect(deadLetter()).toMatchObject({
      ...{ service: 'jobs', subject: jobs.clean.subject, deliveries: 3 },
      ...{ code: 'internal', content: { name: 'roof' } },
    });
    expect(JSON.stringify(deadLetter())).not.toContain('hunter2');
    expect(script.counted).toEqual([`${jobs.clean.subject} internal`]);
    expect(logged).toContainEqual(
      expect.objectContaining({
        message: 'message is a dead letter',
        subject: jobs.clean.subject,
        deliveries: 3,
      }),
    );
  });

  test('a stored event reaches one instance of each service and, bound with each, every live instance', async () => {
    await serve('ear', [SharedListener]);
    await serve('ear', [SharedListener]);
    await serve('eye', [LiveListener]);
    await serve('eye', [LiveListener]);
    await (await client()).publish(cleaned, { name: 'hall' }, 'event-1');
    await waitFor(() => script.received.length >= 3);
    expect(script.received.sort()).toEqual(['live hall', 'live hall', 'shared hall']);
  });

  test('a publisher gets the acknowledgement of the stream although live listeners receive the same message', async () => {
    await serve('eye', [LiveListener]);
    const bus = await client();
    await expect(bus.publish(cleaned, { name: 'loft' }, 'event-2')).resolves.toBeUndefined();
    await waitFor(() => script.received.includes('live loft'));
  });
});
