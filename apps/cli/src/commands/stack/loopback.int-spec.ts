import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders } from '../../testing/command.js';

const TIMEOUT_MS = 180_000;

const ENDPOINT = `
deployments:
  - {name: local, kind: endpoint, config: {url: "http://127.0.0.1:9/solve"}}
`;

describe('endpoints on the machine of the embedded stack', () => {
  const home = emptyFolder();
  const folder = emptyFolder();
  chmodSync(folder, 0o755);
  const data = path.join(folder, 'data');
  const file = path.join(folder, 'agents.yaml');
  writeFileSync(file, ENDPOINT);
  const env = { XDG_CONFIG_HOME: path.join(home, '.config') };
  const run = (...words: string[]) => command(words, { env });
  const up = (...words: string[]) => run('up', '--detach', '--data', data, '--port', '0', ...words);

  afterAll(async () => {
    await run('down', '--data', data);
    removeFolders();
  }, TIMEOUT_MS);

  test(
    'loopback endpoints are refused until `up` gets the option for them, which it reports and stores',
    async () => {
      const plain = await up();
      expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('this machine are refused') });
      const refused = await run('deployment', 'create', '-f', file);
      expect(refused.code).not.toBe(0);
      expect(refused.stdout + refused.stderr).toContain('agentclash up --allow-loopback-endpoints');

      const other = await up('--allow-loopback-endpoints');
      expect(other).toMatchObject({
        code: 64,
        stderr: expect.stringContaining('Already running, with loopback endpoints refused'),
      });
      expect(other.stderr).toContain(`agentclash up --data ${data} --allow-loopback-endpoints`);

      await run('down');
      expect(await up('--allow-loopback-endpoints')).toMatchObject({ code: 0 });
      expect(await run('deployment', 'create', '-f', file)).toMatchObject({ code: 0 });
      await run('down');
      const again = await up('--json');
      expect(JSON.parse(again.stdout)).toMatchObject({ allows_loopback_endpoints: true });
      const status = await run('status');
      expect(status.stdout).toContain('endpoints and model servers on this machine are allowed');
    },
    TIMEOUT_MS,
  );
});
