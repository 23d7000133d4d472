import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { FRONT_DOOR, frontDoor, runEvents, sendSubject } from '@agentclash/contracts';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect, createInbox, headers, type NatsConnection } from '@nats-io/transport-node';
import {
  BusConnection,
  BusServer,
  FRONT_DOOR_MESSAGE_BYTES_MAX,
  natsServerConfig,
  provisionStreams,
  STREAMS,
  serviceUsers,
} from './index.js';

const [mine, theirs] = [randomUUID(), randomUUID()];
const doors = [
  { workspaceId: mine, user: 'shop', password: 'pass-shop' },
  { workspaceId: theirs, user: 'other', password: 'pass-other' },
];
const AUDITOR = {
  user: 'auditor',
  password: 'pass-auditor',
  permissions: { publish: ['>'], subscribe: ['>'], allow_responses: { max: 1, ttl: '5m' } },
};
const users = [...serviceUsers((service) => `pass-${service}`), AUDITOR];
const nats = await freshNats({ config: natsServerConfig(users, doors) });

describe('the bus user of an internal service', () => {
  let orchestrator: BusConnection;
  let server: BusServer;
  let shop: NatsConnection;
  /** In the account of the services, and free to hear everything there. */
  let auditor: NatsConnection;
  const asked: unknown[] = [];

  beforeAll(async () => {
    const login = { user: 'run-orchestrator', password: 'pass-run-orchestrator' };
    orchestrator = await BusConnection.open({ servers: [nats.url], name: 'run-orchestrator', ...login });
    await provisionStreams(await orchestrator.jetstreamManager());
    server = new BusServer(orchestrator, { concurrency: 4 });
    const answer = async (ask: unknown) => {
      asked.push(ask);
      return { heard: ask };
    };
    const delivery = { message: frontDoor.get, reach: 'shared' };
    server.addHandler(`${frontDoor.get.subject}.*`, answer, false, delivery);
    await new Promise<void>((resolve, reject) => {
      server.listen((error) => (error ? reject(error) : resolve()));
    });
    shop = await connect({ servers: nats.url, user: 'shop', pass: 'pass-shop' });
    auditor = await connect({ servers: nats.url, user: 'auditor', pass: 'pass-auditor' });
  });

  afterAll(async () => {
    await shop.close();
    await auditor.close();
    await server.close();
    await orchestrator.close();
  });

  const jobs = async () =>
    (await (await orchestrator.jetstreamManager()).streams.info(STREAMS.frontDoor.name)).state.messages;

  /** What the server says to a subject that is not the user's. */
  async function refusalOf(subject: string): Promise<string> {
    const ear = shop.subscribe(subject);
    return await new Promise((resolve, reject) => {
      ear.callback = (error) => {
        if (error) resolve(error.message);
      };
      void shop.flush().then(() => reject(new Error(`${subject} is open`)));
    });
  }

  /** Whether a message gets through to the house. */
  async function reaches(subject: string, reply?: string): Promise<boolean> {
    let isHeard = false;
    const ear = auditor.subscribe('>', {
      callback: (_error, message) => {
        isHeard ||= message.subject === subject;
      },
    });
    await auditor.flush();
    shop.publish(subject, '{}', reply === undefined ? {} : { reply });
    await shop.flush();
    await auditor.flush();
    ear.unsubscribe();
    return isHeard;
  }

  test('stores a request of its workspace, once for each message id, and is told so', async () => {
    const subject = `${frontDoor.request.subject}.${mine}`;
    const stored = async () => await jetstream(shop).publish(subject, '{"a":1}', { msgID: 'r1' });
    expect(await stored()).toMatchObject({ stream: 'FRONT_DOOR', duplicate: false });
    expect(await stored()).toMatchObject({ stream: 'FRONT_DOOR', duplicate: true });
    expect(await jobs()).toBe(1);
  });

  test('gets answers across accounts, of its own workspace only: the content cannot name another', async () => {
    const ask = async (workspace_id: string) => {
      const message = { workspace_id, run_id: randomUUID() };
      const reply = await shop.request(`${frontDoor.get.subject}.${mine}`, JSON.stringify(message));
      return reply.json();
    };
    expect(await ask(mine)).toMatchObject({ ok: true, data: { heard: { workspace_id: mine } } });
    expect(await ask(theirs)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(asked).toHaveLength(1);
  });

  test('hears what becomes of its runs with one subscription, and nothing of another workspace', async () => {
    const heard: string[] = [];
    shop.subscribe(`evt.runs.v1.*.${mine}`, {
      callback: (_error, { subject }) => void heard.push(subject),
    });
    await shop.flush();
    const { jetstream: stream } = orchestrator;
    await stream.publish(`${runEvents.completed.subject}.${theirs}`, '{}');
    await stream.publish(`${runEvents.completed.subject}.${mine}`, '{}');
    await waitFor(() => heard.length > 0);
    expect(heard).toEqual([`${runEvents.completed.subject}.${mine}`]);
  });

  test("is refused other workspaces' subjects, those of the house, streams and the system", async () => {
    const closed = [
      `evt.runs.v1.*.${theirs}`,
      'evt.runs.v1.*.*',
      'evt.>',
      'job.>',
      'rpc.>',
      '>',
      '$JS.>',
      '$SYS.>',
      `_INBOX_gateway.>`,
    ];
    for (const subject of closed) expect(await refusalOf(subject)).toMatch(/permissions violation/i);
    const before = await jobs();
    const forbidden = [
      `${frontDoor.request.subject}.${theirs}`,
      `${frontDoor.get.subject}.${theirs}`,
      'rpc.vault.v1.resolve',
      'rpc.runs.v1.show',
      `${runEvents.completed.subject}.${mine}`,
      '$JS.API.STREAM.INFO.JOBS',
      '$JS.API.STREAM.INFO.FRONT_DOOR',
      '$JS.API.STREAM.PURGE.JOBS',
      '$JS.API.STREAM.PURGE.FRONT_DOOR',
      '$JS.API.CONSUMER.CREATE.EVENTS.spy',
    ];
    for (const subject of forbidden) {
      expect(await reaches(subject)).toBe(false);
    }
    expect(await jobs()).toBe(before);
  });

  test('cannot have the server speak for it: a reply subject leads nowhere but into its own account', async () => {
    const before = await jobs();
    for (const reply of [
      '$JS.API.STREAM.PURGE.JOBS',
      '$JS.API.STREAM.PURGE.FRONT_DOOR',
      '$JS.API.STREAM.DELETE.EVENTS',
      'rpc.vault.v1.resolve',
    ]) {
      const header = headers();
      header.set('Nats-Msg-Id', randomUUID());
      shop.publish(`${frontDoor.request.subject}.${mine}`, '{}', { reply, headers: header });
      expect(await reaches(`${frontDoor.get.subject}.${mine}`, 'rpc.vault.v1.resolve')).toBe(true);
    }
    await waitFor(async () => (await jobs()) === before + 4);
    const { streams } = await orchestrator.jetstreamManager();
    expect((await streams.info(STREAMS.event.name)).config.name).toBe('EVENTS');
  });

  test('listens to no inbox but those of its own workspace', async () => {
    const inbox = createInbox();
    const other = await connect({ servers: nats.url, user: 'other', pass: 'pass-other' });
    let isHeard = false;
    other.subscribe('_INBOX.>', {
      callback: () => {
        isHeard = true;
      },
    });
    await other.flush();
    shop.subscribe(inbox, { callback: () => {} });
    await shop.request(
      `${frontDoor.get.subject}.${mine}`,
      JSON.stringify({ workspace_id: mine, run_id: randomUUID() }),
    );
    await other.flush();
    expect(isHeard).toBe(false);
    await other.close();
  });

  test('sees only messages whose subject ends with a workspace', () => {
    for (const message of [...FRONT_DOOR.sends, ...FRONT_DOOR.hears]) {
      expect(message).toMatchObject({ tail: 'workspace_id' });
      expect(sendSubject(message, { workspace_id: mine } as never)).toBe(`${message.subject}.${mine}`);
    }
  });

  describe('that sends without measure', () => {
    const subject = (workspace: string) => `${frontDoor.request.subject}.${workspace}`;

    test('is disconnected when a message is larger than any request', async () => {
      const { hostname, port } = new URL(nats.url);
      const socket = createConnection(Number(port), hostname);
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text;
      });
      // A client library would refuse it by itself.
      socket.write('CONNECT {"user":"shop","pass":"pass-shop","verbose":false}\r\n');
      socket.write(`PUB ${frontDoor.get.subject}.${mine} ${FRONT_DOOR_MESSAGE_BYTES_MAX + 1}\r\n`);
      await once(socket, 'close');
      expect(received).toMatch(/maximum payload violation/i);
    });

    test('fills its own queue and neither that of another workspace nor the jobs of the services', async () => {
      const own = jetstream(shop);
      const body = new Uint8Array(FRONT_DOOR_MESSAGE_BYTES_MAX - 1_024);
      const results = await Promise.allSettled(
        Array.from({ length: STREAMS.frontDoor.max_msgs_per_subject + 10 }, () =>
          own.publish(subject(mine), body),
        ),
      );
      expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(10);
      const other = await connect({ servers: nats.url, user: 'other', pass: 'pass-other' });
      expect(await jetstream(other).publish(subject(theirs), '{}')).toMatchObject({ duplicate: false });
      await other.close();
      const job = await orchestrator.jetstream.publish('job.execution.v1.execute', '{}');
      expect(job).toMatchObject({ stream: 'JOBS' });
    });
  });
});
