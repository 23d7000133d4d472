import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  await startPostgres({ dataDir: '${folder}', durability: 'process', log });
  await startNats({ dataDir: '${folder}/nats', log });
  console.log('started');
`;

(process.platform === 'linux' ? test : test.skip)(
  'no server outlives an owner that was killed (needs Linux)',
  async () => {
    const loader = path.join(import.meta.dirname, 'jest/typescript.mjs');
    const child = spawn(process.execPath, ['--import', loader, '--input-type=module', '--eval', owner], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), exited]);
    expect(serversIn(folder)).toEqual(expect.arrayContaining(['postgres', 'nats-server']));
    child.kill('SIGKILL');
    await exited;
    await waitFor(() => serversIn(folder).length === 0);
  },
  60_000,
);

/** The names of the programs that use data in the folder. */
function serversIn(root: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return args.some((arg) => arg.startsWith(root)) ? [path.basename(program)] : [];
    } catch {
      return [];
    }
  });
}
