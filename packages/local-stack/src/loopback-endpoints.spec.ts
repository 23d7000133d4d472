import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { serviceEnvironments } from './environments.js';
import { readLoopbackChoice, settleLoopbackChoice } from './loopback-endpoints.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-loopback-'));
const layout = { settings: path.join(folder, 'settings.json') };

afterAll(() => rmSync(folder, { recursive: true }));

describe('loopback endpoints', () => {
  test('loopback endpoints are refused until they are allowed, and the choice is kept', async () => {
    expect(await readLoopbackChoice(layout)).toBeUndefined();
    expect(await settleLoopbackChoice(layout, undefined)).toBe(false);
    expect(await readLoopbackChoice(layout)).toBeUndefined();
    expect(await settleLoopbackChoice(layout, true)).toBe(true);
    expect(await settleLoopbackChoice(layout, undefined)).toBe(true);
    expect(await settleLoopbackChoice(layout, false)).toBe(false);
    expect(await settleLoopbackChoice(layout, undefined)).toBe(false);
  });

  test.each(['', '[]', '{"allow_loopback_endpoints": "yes"}', 'null'])(
    'loopback endpoints are refused when the settings cannot be read: %j',
    async (text) => {
      writeFileSync(layout.settings, text);
      expect(await settleLoopbackChoice(layout, undefined)).toBe(false);
    },
  );

  test.each([
    [true, {}, '127.0.0.0/8,::1/128'],
    [false, {}, undefined],
    [false, { OPERATOR_UNLOCK: '10.0.0.0/8' }, '10.0.0.0/8'],
  ])(
    'loopback endpoints, allowed: %s, with the overrides %j, set OPERATOR_UNLOCK to %s',
    (allowsLoopback, overrides, unlock) => {
      const environments = serviceEnvironments({
        allowsLoopback,
        overrides,
        credentials: { adminToken: 'ac_a', operatorToken: 'ac_o', passwords: {} as never },
        natsUrl: 'nats://127.0.0.1:1',
        postgresUrl: () => 'postgresql://',
        roles: {} as never,
        ...{ blobFolder: 'b', vaultKeysFile: 'v', httpHost: '127.0.0.1', httpPort: 1, logLevel: 'info' },
        inherited: {},
      });
      for (const service of ['run-orchestrator', 'sandbox-executor', 'scoring'] as const) {
        expect(environments[service].OPERATOR_UNLOCK).toBe(unlock);
      }
    },
  );
});
