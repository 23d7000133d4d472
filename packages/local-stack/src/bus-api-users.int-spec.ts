import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BusConnection, provisionStreams, STREAMS } from '@agentclash/bus';
import { type NatsServer, startNats } from '@agentclash/embedded';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBusApiUser, listBusApiUsers, removeBusApiUser } from './bus-api-users.js';
import { writeBusConfig } from './bus-config.js';
import { type Credentials, loadCredentials } from './credentials.js';
import { type Layout, openLayout } from './layout.js';

describe('a bus user for an internal service', () => {
  const data = path.join(mkdtempSync(path.join(tmpdir(), 'agentclash-bus-users-')), 'data');
  const workspaceId = randomUUID();
  let layout: Layout;
  let credentials: Credentials;
  let nats: NatsServer;
  let orchestrator: BusConnection;

  const connect = async (user: string, password: string) =>
    await BusConnection.open({ servers: [nats.url], name: user, user, password });
  const stored = async () => {
    const { streams } = await orchestrator.jetstreamManager();
    return (await streams.info(STREAMS.busApi.name)).state.messages;
  };
  const start = async () => {
    nats = await startNats({
      dataDir: layout.nats,
      configFile: layout.natsConfig,
      hasStore: true,
      log: () => {},
    });
    orchestrator = await connect('run-orchestrator', credentials.passwords['run-orchestrator']);
  };

  beforeAll(async () => {
    layout = await openLayout(data);
    credentials = await loadCredentials(layout, true);
    await writeBusConfig(layout, credentials);
    await start();
    await provisionStreams(await orchestrator.jetstreamManager());
  });
  afterAll(async () => {
    await orchestrator.close();
    await nats.stop();
    rmSync(path.dirname(data), { recursive: true, force: true });
  });

  test('a new bus user has access from the next start on, keeps its password, and reaches the stream', async () => {
    const made = await addBusApiUser(data, { user: 'nightly', workspaceId });
    expect(made).toMatchObject({ user: 'nightly', workspaceId, isNew: true });
    expect(await addBusApiUser(data, { user: 'nightly', workspaceId })).toEqual({ ...made, isNew: false });
    await expect(connect('nightly', made.password)).rejects.toThrow(/authorization/i);
    await orchestrator.close();
    await nats.stop();
    await writeBusConfig(layout, credentials);
    await start();
    const nightly = await connect('nightly', made.password);
    nightly.nats.publish(`job.runs.v1.request.${workspaceId}`, '{}');
    await waitFor(async () => (await stored()) === 1);
    await nightly.close();
    expect(statSync(layout.busApiUsers).mode & 0o777).toBe(0o600);
    expect(statSync(layout.natsConfig).mode & 0o777).toBe(0o600);
  });

  test('a bus user belongs to one workspace, and has the name of no service', async () => {
    const expected = { code: 'front_door_name' };
    await expect(addBusApiUser(data, { user: 'nightly', workspaceId: randomUUID() })).rejects.toMatchObject(
      expected,
    );
    for (const user of ['gateway', 'secrets-vault', 'With Blanks', '']) {
      await expect(addBusApiUser(data, { user, workspaceId })).rejects.toMatchObject(expected);
    }
    expect(await listBusApiUsers(data)).toEqual([{ user: 'nightly', workspaceId }]);
  });

  test('a removed bus user loses access at once', async () => {
    const { password } = await addBusApiUser(data, { user: 'nightly', workspaceId });
    const nightly = await connect('nightly', password);
    let isLost = false;
    void nightly.watch((status) => {
      isLost ||= status === 'disconnect';
    });
    expect(await removeBusApiUser(data, 'nightly')).toBe(true);
    await waitFor(() => isLost || nightly.nats.isClosed());
    await expect(connect('nightly', password)).rejects.toThrow(/authorization/i);
    expect(await removeBusApiUser(data, 'nightly')).toBe(false);
    await nightly.nats.close();
  });

  test('a bus user cannot be added where there is no stack', async () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'agentclash-bus-users-'));
    writeFileSync(path.join(empty, 'note'), '');
    const made = addBusApiUser(empty, { user: 'nightly', workspaceId });
    await expect(made).rejects.toMatchObject({ code: 'not_running' });
    rmSync(empty, { recursive: true, force: true });
  });
});
