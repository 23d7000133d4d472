// Runs command lines of the built program one after the other in this process: hundreds of them without hundreds of
// starts. Each comes as a message {words, cwd, stdin}; the result is {code, stdout, stderr}.
import { Readable } from 'node:stream';
import { runCli } from '../../../dist/tree/cli.js';

const STREAMS = ['stdout', 'stderr'];
for (const name of STREAMS) process[name].setMaxListeners(0);

process.on('message', async ({ words, cwd, stdin }) => {
  process.chdir(cwd);
  const printed = { stdout: '', stderr: '' };
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(stdin)]), configurable: true });
  for (const name of STREAMS) {
    process[name]._write = (chunk, _encoding, done) => {
      printed[name] += chunk;
      done();
    };
  }
  const code = await runCli(words);
  process.send({ code, ...printed });
});
