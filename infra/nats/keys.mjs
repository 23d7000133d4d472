// `pnpm nats:keys <folder> [<user> …]`: makes an nkey for every service, for `system`, and for each user named: the seeds
// as <user>.seed, which only that user may have, and the public keys as nats-users.env, which the servers read.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { newNkey, nkeyVariable } from '../../packages/bus/src/index.ts';
import { ACCESS } from '../../packages/contracts/src/index.ts';

const [folder, ...others] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: pnpm nats:keys <new folder> [<user> …]');
  process.exit(64);
}
await mkdir(folder, { mode: 0o700 });
const lines = [];
for (const user of [...Object.keys(ACCESS), 'system', ...others]) {
  const { seed, publicKey } = newNkey();
  await writeFile(path.join(folder, `${user}.seed`), seed, { mode: 0o600 });
  lines.push(`${nkeyVariable(user)}=${publicKey}\n`);
}
await writeFile(path.join(folder, 'nats-users.env'), lines.join(''));
console.log(`Made ${lines.length} keys in ${folder}.`);
