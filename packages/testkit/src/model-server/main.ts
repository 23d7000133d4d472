import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { echoModel } from './demo-script.js';
import { fakeModelServer, type Script } from './server.js';

// node main.js [--port 8089] [--script behaviours.json]: prints {"url": …} when it listens, and runs until it is stopped.
const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, script: { type: 'string' } },
});
const script: Script =
  values.script === undefined ? echoModel : JSON.parse(await readFile(values.script, 'utf8'));
const server = await fakeModelServer({ port: Number(values.port), script });
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
