import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { newNkey, nkeyVariable } from '@agentclash/bus';
import { ACCESS } from '@agentclash/contracts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { renderOverlay } from '../manifests/render.js';
import { repository } from '../repository.js';
import { describeWithKubectl } from '../requirements.js';
import { type ServerName, ThreeServers } from './three-servers.js';

jest.setTimeout(120_000);

const run = promisify(execFile);
const SOURCES = ['--conditions=agentclash-source', '--import'];
const LOADER = path.join(repository, 'packages/testkit/src/jest/typescript.mjs');

/**
 * Provisions the streams as the orchestrator does, publishes a message and prints its stream. Retries while the servers
 * elect a leader; the message id prevents duplicates.
 */
const PROVISION = `
  import { BusConnection, provisionStreams } from '@agentclash/bus';
  const { NATS_URL, NATS_NKEY_SEED: nkeySeed } = process.env;
  const connection = await BusConnection.open({ servers: NATS_URL.split(','), name: 'run-orchestrator', nkeySeed });
  const giveUpAt = Date.now() + 45_000;
  const retryWhileUnavailable = (work) => work().catch((error) => {
    if (Date.now() > giveUpAt) throw error;
    return new Promise((resolve) => setTimeout(resolve, 250)).then(() => retryWhileUnavailable(work));
  });
  const manager = await retryWhileUnavailable(() => connection.jetstreamManager());
  await retryWhileUnavailable(() => provisionStreams(manager, 3));
  const msgID = String(process.pid);
  await retryWhileUnavailable(() => connection.jetstream.publish('job.execution.v1.execute', '{}', { msgID }));
  const { config, state } = await retryWhileUnavailable(() => manager.streams.info('JOBS'));
  console.log(JSON.stringify({ replicas: config.num_replicas, messages: state.messages }));
  await connection.close();
`;

describeWithKubectl('the three NATS servers of the overlay prod', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-three-servers-'));
  const keys = Object.fromEntries(
    [...Object.keys(ACCESS), 'system'].map((user) => [user, newNkey()] as const),
  );
  let servers: ThreeServers;

  beforeAll(async () => {
    const users = Object.entries(keys).map(([user, { publicKey }]) => [nkeyVariable(user), publicKey]);
    servers = await ThreeServers.start(renderOverlay('prod'), Object.fromEntries(users), folder);
  });
  afterAll(async () => {
    await servers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function provision(environment: Record<string, string> = {}, timeout = 60_000): Promise<unknown> {
    const { stdout } = await run(
      process.execPath,
      ['--no-warnings', ...SOURCES, LOADER, '--input-type=module', '--eval', PROVISION],
      {
        cwd: path.join(repository, 'packages/infra-tests'),
        timeout,
        env: {
          PATH: process.env.PATH,
          NODE_EXTRA_CA_CERTS: servers.caFile,
          NATS_URL: servers.url,
          NATS_NKEY_SEED: keys['run-orchestrator']?.seed,
          ...environment,
        },
      },
    );
    return JSON.parse(stdout);
  }

  test('each stream has three replicas and is provisioned once', async () => {
    expect(await provision()).toEqual({ replicas: 3, messages: 1 });
    expect(await provision()).toEqual({ replicas: 3, messages: 2 });
  });

  test('clients and servers reject a NATS server without a certificate of the authority', async () => {
    // A client retries until its own limit.
    await expect(provision({ NODE_EXTRA_CA_CERTS: '' }, 8_000)).rejects.toMatchObject({ killed: true });
  });

  test('no message is lost when the leader fails', async () => {
    const leader = (await servers.leader()) as ServerName;
    await servers.kill(leader);
    expect(await provision()).toEqual({ replicas: 3, messages: 3 });
  });
});
