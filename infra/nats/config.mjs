// `pnpm nats:config [<workspace id>=<user> …]`: writes accounts.conf from the declared access of the services, with a
// bus user for each internal service that requests runs in a workspace.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { natsAccountsConfig, nkeyVariable } from '../../packages/bus/src/index.ts';

const IDENTITY = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})=([a-z0-9-]+)$/;
const file = path.join(import.meta.dirname, 'accounts.conf');

const identities = process.argv.slice(2).map(readIdentity);
await writeFile(file, natsAccountsConfig(identities));
console.log(`Wrote ${path.relative(process.cwd(), file)}.`);
for (const { user } of identities)
  console.log(`The servers need the public nkey of ${user} in ${nkeyVariable(user)}.`);

function readIdentity(text) {
  const [, workspaceId, user] = IDENTITY.exec(text) ?? [];
  if (workspaceId === undefined || user === undefined) {
    console.error(
      `usage: pnpm nats:config [<workspace id>=<user in-lower-case> …]; this is neither: ${text}`,
    );
    process.exit(64);
  }
  return { workspaceId, user };
}
