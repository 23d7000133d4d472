import * as contracts from '@agentclash/contracts';
import { ACCESS, type Access, listenSubject, type Message, type ServiceName } from '@agentclash/contracts';
import { freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  BusConnection,
  natsServerConfig,
  permissionsOf,
  provisionStreams,
  STREAMS,
  serviceUsers,
} from './index.js';
import { durableName } from './jetstream-server.js';
import { streamOf } from './streams.js';

const SERVICES = Object.keys(ACCESS) as ServiceName[];
const AUDITOR = {
  user: 'auditor',
  password: 'pass-auditor',
  permissions: { publish: ['>'], subscribe: ['>'], allow_responses: { max: 1, ttl: '5m' } },
};
const users = [...serviceUsers((service) => `pass-${service}`), AUDITOR];
const nats = await freshNats({ config: natsServerConfig(users) });

/** Every declared message. */
const MESSAGES = Object.values(contracts).flatMap((group): Message[] =>
  typeof group === 'object' && group !== null ? Object.values(group).filter(isMessage) : [],
);
const access = (service: ServiceName): Access => ACCESS[service];
const inbox = (service: ServiceName) => `_INBOX_${service.replaceAll('-', '_')}`;
/** A subject on which an instance of the message is published. */
const publishSubject = (message: Message) => listenSubject(message).replace('*', 'w1');

describe('the permissions of the bus users', () => {
  const connections = new Map<string, BusConnection>();

  beforeAll(async () => {
    for (const { user, password } of users) {
      connections.set(user, await BusConnection.open({ servers: [nats.url], name: user, user, password }));
    }
    await provisionStreams(await as('run-orchestrator').jetstreamManager());
  });

  afterAll(async () => {
    for (const connection of connections.values()) await connection.close();
  });

  function as(user: string): BusConnection {
    const connection = connections.get(user);
    if (connection === undefined) throw new Error(`no connection of ${user}`);
    return connection;
  }

  /** The subjects on which a message of the service is delivered. */
  async function deliveredFrom(service: ServiceName, subjects: readonly string[]): Promise<string[]> {
    const delivered = new Set<string>();
    const mark = `from ${service}`;
    const subscription = as('auditor').nats.subscribe('>', {
      callback: (_error, message) => {
        if (message.string() === mark) delivered.add(message.subject);
      },
    });
    await as('auditor').nats.flush();
    for (const subject of subjects) as(service).nats.publish(subject, mark);
    await as(service).nats.flush();
    await as('auditor').nats.flush();
    subscription.unsubscribe();
    return subjects.filter((subject) => delivered.has(subject));
  }

  /** The subjects that the service may subscribe to. */
  async function openTo(service: ServiceName, subjects: readonly string[]): Promise<string[]> {
    const tries = subjects.map((subject) => ({
      subject,
      subscription: as(service).nats.subscribe(subject),
    }));
    // The server sends a permissions violation before its PONG.
    await as(service).nats.flush();
    const open = tries.filter(({ subscription }) => !subscription.isClosed()).map(({ subject }) => subject);
    for (const { subscription } of tries) subscription.unsubscribe();
    return open;
  }

  const others = (service: ServiceName) => SERVICES.filter((other) => other !== service);

  test('the list of messages to try is not empty, and permitted messages are delivered', async () => {
    expect(MESSAGES.length).toBeGreaterThan(40);
    expect(await deliveredFrom('sandbox-executor', ['rpc.vault.v1.resolve'])).toEqual([
      'rpc.vault.v1.resolve',
    ]);
    const streamInfo = ['$JS.API.STREAM.INFO.JOBS'];
    expect(await deliveredFrom('scoring', streamInfo)).toEqual(streamInfo);
    expect(await openTo('secrets-vault', ['rpc.vault.v1.resolve'])).toEqual(['rpc.vault.v1.resolve']);
  });

  describe.each(SERVICES)('%s', (service) => {
    const { sends, publishes, serves, subscribes, watches = [] } = access(service);
    const served = serves.flatMap((group) => Object.values(group));

    test('a bus user publishes declared messages and nothing else: no request or event of other services', async () => {
      const declared = new Set([...sends, ...publishes].map(publishSubject));
      expect(await deliveredFrom(service, MESSAGES.map(publishSubject))).toEqual(
        MESSAGES.map(publishSubject).filter((subject) => declared.has(subject)),
      );
    });

    test('a bus user receives declared messages and nothing else: no requests, jobs or events of others', async () => {
      const rpcs = served.filter(({ kind }) => kind === 'rpc');
      const declared = new Set([...rpcs, ...subscribes, ...watches].map(listenSubject));
      const subjects = MESSAGES.map(listenSubject);
      expect(await openTo(service, subjects)).toEqual(subjects.filter((subject) => declared.has(subject)));
      expect(await openTo(service, ['>', 'rpc.>', 'job.>', 'evt.>', 'live.>', '$JS.>', '$SYS.>'])).toEqual(
        [],
      );
    });

    test('a bus user may create no consumer for events that its instances receive directly', async () => {
      const making = watches
        .filter(({ kind }) => kind === 'event')
        .map((message) => {
          const durable = durableName(service, message.subject);
          return `$JS.API.CONSUMER.CREATE.${streamOf(message)}.${durable}.${listenSubject(message)}`;
        });
      expect(await deliveredFrom(service, making)).toEqual([]);
    });

    test("a bus user subscribes to its own inbox only, and cannot publish to another's", async () => {
      const foreign = others(service).map((other) => `${inbox(other)}.>`);
      expect(await openTo(service, [...foreign, '_INBOX.>', `${inbox(service)}.>`])).toEqual([
        `${inbox(service)}.>`,
      ]);
      expect(
        await deliveredFrom(
          service,
          others(service).map((other) => `${inbox(other)}.x.1`),
        ),
      ).toEqual([]);
    });

    test('a bus user may not create, purge, read or delete a stream, nor use a consumer of others', async () => {
      const streams = Object.values(STREAMS).map(({ name }) => name);
      const verbs = ['DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE', 'LEADER.STEPDOWN'];
      const making = ['CREATE', 'UPDATE'].flatMap((verb) => [
        `$JS.API.STREAM.${verb}.MINE`,
        ...(access(service).provisions ? [] : streams.map((name) => `$JS.API.STREAM.${verb}.${name}`)),
      ]);
      const durables = others(service).flatMap((other) => {
        const group = access(other);
        const jobs = group.serves
          .flatMap((served) => Object.values(served))
          .filter(({ kind }) => kind === 'job');
        return [
          ...jobs.map((message) => [streamOf(message), durableName(other, message.subject)]),
          ...group.subscribes.map((message) => [STREAMS.event.name, durableName(other, message.subject)]),
        ];
      });
      const forbidden = [
        ...making,
        ...streams.flatMap((name) => verbs.map((verb) => `$JS.API.STREAM.${verb}.${name}`)),
        ...streams.flatMap((name) => [
          `$JS.API.DIRECT.GET.${name}`,
          `$JS.API.CONSUMER.CREATE.${name}`,
          `$JS.API.CONSUMER.CREATE.${name}.spy.>`,
          `$JS.API.CONSUMER.DURABLE.CREATE.${name}.spy`,
          `$JS.API.CONSUMER.NAMES.${name}`,
        ]),
        ...durables.flatMap(([stream, durable]) => [
          `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
          `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
          `$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
        ]),
        '$JS.API.ACCOUNT.PURGE.$G',
        '$SYS.REQ.SERVER.PING',
      ];
      expect(await deliveredFrom(service, forbidden)).toEqual([]);
    });
  });

  test('only the executor and scoring may resolve secrets, each by its own request', async () => {
    const subjects = ['rpc.vault.v1.resolve', 'rpc.vault.v1.resolve_for_judges'];
    const found = await Promise.all(
      SERVICES.map(async (service) => [service, await deliveredFrom(service, subjects)] as const),
    );
    expect(Object.fromEntries(found.filter(([, open]) => open.length > 0))).toEqual({
      'sandbox-executor': [subjects[0]],
      scoring: [subjects[1]],
    });
  });

  test('the server rejects connections without a valid password', async () => {
    for (const options of [{ user: 'gateway', password: 'guess' }, {}]) {
      const intruder = BusConnection.open({ servers: [nats.url], name: 'gateway', ...options });
      await expect(intruder).rejects.toThrow(/authorization/i);
    }
  });

  test('a service that declares nothing may only query for the streams', () => {
    expect(permissionsOf('pack-registry').publish.filter((subject) => subject.startsWith('$'))).toEqual([
      '$JS.API.STREAM.INFO.*',
    ]);
  });
});

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'subject' in value && 'kind' in value;
}
