import { ACCESS, type ServiceName } from '@agentclash/contracts';
import { freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BusConnection, natsServerConfig, permissionsOf, provisionStreams, serviceUsers } from './index.js';

const nats = await freshNats({ config: natsServerConfig(serviceUsers((service) => `pass-${service}`)) });

describe('the permissions of the bus users', () => {
  const connections = new Map<ServiceName, BusConnection>();

  beforeAll(async () => {
    for (const name of Object.keys(ACCESS) as ServiceName[]) {
      const options = { servers: [nats.url], name, user: name, password: `pass-${name}` };
      connections.set(name, await BusConnection.open(options));
    }
    await provisionStreams(await as('run-orchestrator').jetstreamManager());
    as('secrets-vault').nats.subscribe('rpc.vault.v1.resolve', {
      callback: (_error, message) => void message.respond('{}'),
    });
    await as('secrets-vault').nats.flush();
  });

  afterAll(async () => {
    for (const connection of connections.values()) await connection.close();
  });

  function as(name: ServiceName): BusConnection {
    const connection = connections.get(name);
    if (connection === undefined) throw new Error(`no connection of ${name}`);
    return connection;
  }

  const ask = (name: ServiceName, subject: string) => as(name).nats.request(subject, '{}', { timeout: 500 });

  test.each(['sandbox-executor', 'scoring'] as const)('%s may open secrets', async (name) => {
    expect((await ask(name, 'rpc.vault.v1.resolve')).string()).toBe('{}');
  });

  test.each(['gateway', 'pack-registry', 'run-orchestrator'] as const)(
    '%s may not open secrets',
    async (name) => {
      await expect(ask(name, 'rpc.vault.v1.resolve')).rejects.toThrow();
    },
  );

  test('no service may listen to the replies of another', async () => {
    const subscription = as('scoring').nats.subscribe('_INBOX_sandbox_executor.>');
    await expect(subscription.closed).resolves.toBeInstanceOf(Error);
  });

  test('no service may answer in the place of another', async () => {
    const subscription = as('scoring').nats.subscribe('rpc.vault.v1.resolve', { queue: 'secrets-vault' });
    await expect(subscription.closed).resolves.toBeInstanceOf(Error);
  });

  test('only the orchestrator may make streams', async () => {
    const manager = await as('scoring').jetstreamManager();
    await expect(manager.streams.add({ name: 'MINE', subjects: ['mine.>'] })).rejects.toThrow();
  });

  test('nobody is let in without a password', async () => {
    const intruder = BusConnection.open({
      servers: [nats.url],
      name: 'gateway',
      user: 'gateway',
      password: 'guess',
    });
    await expect(intruder).rejects.toThrow(/authorization/i);
  });

  test('a service may say nothing that is not declared', () => {
    expect(permissionsOf('pack-registry').publish).toEqual(['$JS.API.STREAM.INFO.*']);
  });
});
