import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { waitFor } from './wait-for.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-orphans-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const owner = `
  import { startNats, startPostgres } from '@agentclash/embedded';
  const log = () => {};
  await startPostgres({ dataDir: '${folder}/postgres', durability: 'process', log });
  await startNats({ dataDir: '${folder}/nats', log });
  console.log('started');
`;

(process.platform === 'linux' ? test : test.skip)(
  'no server outlives a killed owner',
  async () => {
    const child = spawn(
      process.execPath,
      [
        '--no-warnings',
        ...['--import', path.join(import.meta.dirname, 'jest/typescript.mjs')],
        ...['--input-type=module', '--eval', owner],
      ],
      { cwd: import.meta.dirname },
    );
    await waitFor(() => child.stdout.read(), { timeoutMs: 30_000 });
    expect(processesUnder(folder).length).toBeGreaterThanOrEqual(2);
    child.kill('SIGKILL');
    await waitFor(() => processesUnder(folder).length === 0);
  },
  60_000,
);

/** The pids of all processes whose command line or working directory names the folder. */
function processesUnder(place: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${place}/`) && Number(pid) !== process.pid
      );
    } catch {
      return false;
    }
  });
}
