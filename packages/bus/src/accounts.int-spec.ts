import { ACCESS, type ServiceName } from '@agentclash/contracts';
import { freshNats } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { BUS_ACCOUNT, natsAccountsConfig, newNkey, nkeyVariable } from './accounts.js';
import { BusConnection, provisionStreams, STREAMS } from './index.js';

const SERVICES = Object.keys(ACCESS) as ServiceName[];
const WORKSPACE = '01a200bb-c411-7a6e-9e0c-82c05c48f335';
const keys = Object.fromEntries([...SERVICES, 'system', 'billing'].map((user) => [user, newNkey()] as const));
const env = Object.fromEntries(
  Object.entries(keys).map(([user, { publicKey }]) => [nkeyVariable(user), publicKey]),
);
const config = natsAccountsConfig([{ workspaceId: WORKSPACE, user: 'billing' }]);
const nats = await freshNats({ config, env });

async function as<T>(user: string, use: (connection: BusConnection) => Promise<T>): Promise<T> {
  const nkeySeed = keys[user]?.seed ?? '';
  const connection = await BusConnection.open({ servers: [nats.url], name: user, nkeySeed });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

describe('the accounts of a cluster', () => {
  test('the accounts admit every service by its nkey', async () => {
    for (const service of SERVICES) {
      await as(service, async (connection) => expect(connection.isConnected).toBe(true));
    }
  });

  test('the accounts hold no secret', () => {
    expect(config).not.toMatch(/password|SU[A-Z2-7]{56}/);
  });

  test('the accounts reject connections with an unknown nkey and without one', async () => {
    const { seed: stranger } = newNkey();
    for (const options of [{ nkeySeed: stranger }, {}, { user: 'gateway', password: '' }]) {
      const intruder = BusConnection.open({ servers: [nats.url], name: 'gateway', ...options });
      await expect(intruder).rejects.toThrow(/authorization/i);
    }
  });

  test('the accounts give the services their own streams, which only the orchestrator creates', async () => {
    await as('gateway', async (connection) => {
      await expect(provisionStreams(await connection.jetstreamManager())).rejects.toThrow();
    });
    await as('run-orchestrator', async (connection) => {
      const manager = await connection.jetstreamManager();
      await provisionStreams(manager);
      await provisionStreams(manager);
      expect((await manager.streams.info('JOBS')).config.subjects).toEqual(STREAMS.job.subjects);
    });
    expect(config).toContain(`"${BUS_ACCOUNT}"`);
  });

  test('the accounts confine an internal service to the subjects of its workspace', async () => {
    await as('run-orchestrator', async (orchestrator) => {
      const received: string[] = [];
      orchestrator.nats.subscribe('rpc.runs.v1.get.*', {
        callback: (_error, { subject }) => void received.push(subject),
      });
      await orchestrator.nats.flush();
      await as('billing', async ({ nats: billing }) => {
        const other = WORKSPACE.replace('01', '02');
        for (const token of [WORKSPACE, other]) billing.publish(`rpc.runs.v1.get.${token}`);
        billing.publish('job.execution.v1.execute');
        await billing.flush();
      });
      await orchestrator.nats.flush();
      expect(received).toEqual([`rpc.runs.v1.get.${WORKSPACE}`]);
      const { state } = await (await orchestrator.jetstreamManager()).streams.info('JOBS');
      expect(state.messages).toBe(0);
    });
  });
});
