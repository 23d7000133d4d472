// The Node.js that runs this is too old. In a repository that was set up, the one of the set-up takes over; an
// installed agentclash has none and names the version that it needs.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const EX_UNAVAILABLE = 69;
const node = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));
if (existsSync(node)) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both processes: this one only waits.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
} else {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const wanted = `agentclash needs Node.js ${engines.node.replace('>=', '')} or newer`;
  process.stderr.write(`${wanted}, and this is ${process.versions.node}: https://nodejs.org/en/download\n`);
  process.exitCode = EX_UNAVAILABLE;
}
