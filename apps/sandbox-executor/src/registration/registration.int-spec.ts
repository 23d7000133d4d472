import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { executorConfig, startSandboxExecutor } from '../index.js';
import { FakeServices } from '../testing/fake-services.js';

const nats = await freshNats();
const blobFolder = mkdtempSync(path.join(tmpdir(), 'agentclash-registration-'));

describe('the registration of an executor', () => {
  let services: FakeServices;
  beforeAll(async () => {
    services = await FakeServices.open(nats.url);
  });
  afterAll(async () => {
    await services?.close();
    rmSync(blobFolder, { recursive: true, force: true });
  });

  const start = (settings: Record<string, string> = {}) => {
    const environment = {
      NATS_URL: nats.url,
      BLOB_FOLDER: blobFolder,
      SANDBOX_MAX_CONCURRENT: '3',
      EXECUTOR_ID: 'here',
      ...settings,
    };
    const logTo = new Writable({ write: (_chunk, _encoding, done) => done() });
    return startSandboxExecutor(executorConfig(environment), { logTo });
  };

  test('a started executor is registered with its capabilities, and a stopped one is deregistered', async () => {
    const service = await start();
    try {
      const report = services.executors.get('here');
      expect(report).toMatchObject({
        provider: 'bubblewrap',
        isolation: expect.stringMatching(/^(full|basic)$/),
        attempts_max: 3,
        capabilities: {
          packages: expect.any(Boolean),
          egress_proxy: expect.any(Boolean),
          agent_packages: expect.any(Boolean),
          platform: `${process.platform}-${process.arch}`,
        },
        images: [
          {
            template: null,
            packages: expect.arrayContaining(['coreutils']),
            installs: report?.capabilities.packages,
          },
        ],
      });
    } finally {
      await service.close();
    }
    expect(services.executors.has('here')).toBe(false);
  }, 60_000);

  test('an executor starts without an orchestrator, and registers as soon as there is one', async () => {
    await services.close();
    const service = await start();
    const { orchestrator } = service.readiness;
    try {
      expect(await orchestrator?.()).toBe('executor is not registered');
      services = await FakeServices.open(nats.url);
      await waitFor(() => services.executors.has('here'), { timeoutMs: 20_000 });
      await waitFor(async () => (await orchestrator?.()) === undefined);
    } finally {
      await service.close();
    }
  }, 60_000);

  test('an executor whose start fails after its registration is deregistered', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    try {
      await expect(start({ HEALTH_HOST: '127.0.0.1', HEALTH_PORT: String(port) })).rejects.toThrow(
        'EADDRINUSE',
      );
      expect(services.executors.has('here')).toBe(false);
    } finally {
      taken.close();
    }
  }, 60_000);
});
