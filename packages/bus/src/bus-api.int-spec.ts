import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { BUS_API, busApi, runEvents, sendSubject } from '@agentclash/contracts';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect, createInbox, headers, type NatsConnection } from '@nats-io/transport-node';
import {
  BusConnection,
  BusServer,
  natsServerConfig,
  provisionStreams,
  STREAMS,
  serviceUsers,
} from './index.js';
import { BUS_API_MESSAGE_BYTES_MAX } from './streams.js';

const [mine, theirs] = [randomUUID(), randomUUID()];
const busApiUsers = [
  { workspaceId: mine, user: 'shop', password: 'pass-shop' },
  { workspaceId: theirs, user: 'other', password: 'pass-other' },
];
const AUDITOR = {
  user: 'auditor',
  password: 'pass-auditor',
  permissions: { publish: ['>'], subscribe: ['>'], allow_responses: { max: 1, ttl: '5m' } },
};
const users = [...serviceUsers((service) => `pass-${service}`), AUDITOR];
const nats = await freshNats({ config: natsServerConfig(users, busApiUsers) });

describe('the bus user of an internal service', () => {
  let orchestrator: BusConnection;
  let server: BusServer;
  let shop: NatsConnection;
  /** In the account of the services, with a subscription to everything. */
  let auditor: NatsConnection;
  const requests: unknown[] = [];

  beforeAll(async () => {
    const login = { user: 'run-orchestrator', password: 'pass-run-orchestrator' };
    orchestrator = await BusConnection.open({ servers: [nats.url], name: 'run-orchestrator', ...login });
    await provisionStreams(await orchestrator.jetstreamManager());
    server = new BusServer(orchestrator, { concurrency: 4 });
    const handler = async (request: unknown) => {
      requests.push(request);
      return { received: request };
    };
    const delivery = { message: busApi.get, reach: 'shared' };
    server.addHandler(`${busApi.get.subject}.*`, handler, false, delivery);
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
    (await (await orchestrator.jetstreamManager()).streams.info(STREAMS.busApi.name)).state.messages;

  /** The server's error for a subscription outside the user's permissions. */
  async function subscribeError(subject: string): Promise<string> {
    const subscription = shop.subscribe(subject);
    return await new Promise((resolve, reject) => {
      subscription.callback = (error) => {
        if (error) resolve(error.message);
      };
      void shop.flush().then(() => reject(new Error(`${subject} is open`)));
    });
  }

  /** True when a message reaches the account of the services. */
  async function reaches(subject: string, reply?: string): Promise<boolean> {
    let isReceived = false;
    const subscription = auditor.subscribe('>', {
      callback: (_error, message) => {
        isReceived ||= message.subject === subject;
      },
    });
    await auditor.flush();
    shop.publish(subject, '{}', reply === undefined ? {} : { reply });
    await shop.flush();
    await auditor.flush();
    subscription.unsubscribe();
    return isReceived;
  }

  test('a request of an internal service is stored once per message id, as the acknowledgement reports', async () => {
    const subject = `${busApi.request.subject}.${mine}`;
    const stored = async () => await jetstream(shop).publish(subject, '{"a":1}', { msgID: 'r1' });
    expect(await stored()).toMatchObject({ stream: 'FRONT_DOOR', duplicate: false });
    expect(await stored()).toMatchObject({ stream: 'FRONT_DOOR', duplicate: true });
    expect(await jobs()).toBe(1);
  });

  test('an internal service gets replies across accounts, of its own workspace only, whatever the content names', async () => {
    const request = async (workspace_id: string) => {
      const message = { workspace_id, run_id: randomUUID() };
      const reply = await shop.request(`${busApi.get.subject}.${mine}`, JSON.stringify(message));
      return reply.json();
    };
    expect(await request(mine)).toMatchObject({ ok: true, data: { received: { workspace_id: mine } } });
    expect(await request(theirs)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(requests).toHaveLength(1);
  });

  test('an internal service receives the events of its runs with one subscription, and none of another workspace', async () => {
    const received: string[] = [];
    shop.subscribe(`evt.runs.v1.*.${mine}`, {
      callback: (_error, { subject }) => void received.push(subject),
    });
    await shop.flush();
    const { jetstream: stream } = orchestrator;
    await stream.publish(`${runEvents.completed.subject}.${theirs}`, '{}');
    await stream.publish(`${runEvents.completed.subject}.${mine}`, '{}');
    await waitFor(() => received.length > 0);
    expect(received).toEqual([`${runEvents.completed.subject}.${mine}`]);
  });

  test('an internal service is denied the subjects of other workspaces, of the services, streams and the system', async () => {
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
    for (const subject of closed) expect(await subscribeError(subject)).toMatch(/permissions violation/i);
    const before = await jobs();
    const forbidden = [
      `${busApi.request.subject}.${theirs}`,
      `${busApi.get.subject}.${theirs}`,
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

  test('an internal service cannot publish by a reply subject: the server resolves it in the account of the user', async () => {
    const before = await jobs();
    for (const reply of [
      '$JS.API.STREAM.PURGE.JOBS',
      '$JS.API.STREAM.PURGE.FRONT_DOOR',
      '$JS.API.STREAM.DELETE.EVENTS',
      'rpc.vault.v1.resolve',
    ]) {
      const header = headers();
      header.set('Nats-Msg-Id', randomUUID());
      shop.publish(`${busApi.request.subject}.${mine}`, '{}', { reply, headers: header });
      expect(await reaches(`${busApi.get.subject}.${mine}`, 'rpc.vault.v1.resolve')).toBe(true);
    }
    await waitFor(async () => (await jobs()) === before + 4);
    const { streams } = await orchestrator.jetstreamManager();
    expect((await streams.info(STREAMS.event.name)).config.name).toBe('EVENTS');
  });

  test('an internal service receives from no inbox but those of its own workspace', async () => {
    const inbox = createInbox();
    const other = await connect({ servers: nats.url, user: 'other', pass: 'pass-other' });
    let isReceived = false;
    other.subscribe('_INBOX.>', {
      callback: () => {
        isReceived = true;
      },
    });
    await other.flush();
    shop.subscribe(inbox, { callback: () => {} });
    await shop.request(
      `${busApi.get.subject}.${mine}`,
      JSON.stringify({ workspace_id: mine, run_id: randomUUID() }),
    );
    await other.flush();
    expect(isReceived).toBe(false);
    await other.close();
  });

  test('an internal service receives only messages whose subject ends with its workspace', () => {
    for (const message of [...BUS_API.sends, ...BUS_API.subscribes]) {
      expect(message).toMatchObject({ tail: 'workspace_id' });
      expect(sendSubject(message, { workspace_id: mine } as never)).toBe(`${message.subject}.${mine}`);
    }
  });

  describe('that floods the bus', () => {
    const subject = (workspace: string) => `${busApi.request.subject}.${workspace}`;

    test('an internal service is disconnected when a message is larger than any request', async () => {
      const { hostname, port } = new URL(nats.url);
      const socket = createConnection(Number(port), hostname);
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text;
      });
      // A client library would reject it before sending.
      socket.write('CONNECT {"user":"shop","pass":"pass-shop","verbose":false}\r\n');
      socket.write(`PUB ${busApi.get.subject}.${mine} ${BUS_API_MESSAGE_BYTES_MAX + 1}\r\n`);
      await once(socket, 'close');
      expect(received).toMatch(/maximum payload violation/i);
    });

    test('an internal service that floods the bus fills its own queue and no queue of other workspaces and services', async () => {
      const own = jetstream(shop);
      const body = new Uint8Array(BUS_API_MESSAGE_BYTES_MAX - 1_024);
      const results = await Promise.allSettled(
        Array.from({ length: STREAMS.busApi.max_msgs_per_subject + 10 }, () =>
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
