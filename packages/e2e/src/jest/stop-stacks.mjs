import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const AGENTCLASH = path.resolve(import.meta.dirname, '../../../../apps/cli/bin/agentclash.js');

/** Ends the stacks that test files have shared, and removes their folder. */
export default async function stopStacks() {
  const folder = process.env.AGENTCLASH_E2E_STACKS;
  const stacks = readdirSync(folder).map((name) => path.join(folder, name, 'data'));
  const running = stacks.filter((data) => existsSync(path.join(data, 'stack.json')));
  const ends = await Promise.allSettled(
    running.map((data) => run(process.execPath, [AGENTCLASH, 'down', '--data', data])),
  );
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  // A stack that died during the tests is an error of theirs.
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
