// `npm run demo`: set-up, then a real race on a stack of its own.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { explain } from './setup/failure.mjs';
import { repository } from './setup/repository.mjs';
import { setUp } from './setup.mjs';

try {
  await setUp();
  process.exitCode = await runDemo(process.argv.slice(2));
} catch (error) {
  process.exitCode = explain(error);
}

/** The demo gets the terminal. A Ctrl-C reaches it directly and it stops what it started; we only wait for it. */
async function runDemo(args) {
  const command = path.join(repository, 'apps/cli/bin/agentclash.js');
  const child = spawn(process.execPath, [command, 'demo', ...args], { cwd: repository, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => signal === 'SIGTERM' && child.kill(signal));
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
