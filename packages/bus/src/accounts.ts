import type { ServiceName } from '@agentclash/contracts';
import { nkeys } from '@nats-io/transport-node';
import { serviceUsers } from './permissions.js';
import { natsServerConfig } from './server-config.js';

/** The account that the services share on a cluster; KEDA and the NATS tools refer to it by name. */
export const BUS_ACCOUNT = 'AGENTCLASH';
/** The account with access to the server's own subjects. */
const SYSTEM_ACCOUNT = 'SYS';
const SYSTEM_USER = 'system';

/** A bus user of an internal service, for one workspace; any name. */
export interface BusApiIdentity {
  workspaceId: string;
  user: string;
}

/** The key pair of a bus user: the seed for the user alone, the public key for the servers. */
export interface Nkey {
  seed: string;
  publicKey: string;
}

export function newNkey(): Nkey {
  const key = nkeys.createUser();
  return { seed: new TextDecoder().decode(key.getSeed()), publicKey: key.getPublicKey() };
}

/** The variable of the server's environment that holds the public nkey of a bus user. */
export function nkeyVariable(user: ServiceName | typeof SYSTEM_USER | (string & {})): string {
  return `NATS_NKEY_${user.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

/**
 * Accounts, users and permissions of a nats-server on a cluster, as a file that its configuration includes: those of the
 * embedded stack without the passwords. Users authenticate by nkeys; the server's environment holds the public ones, so
 * neither the file nor the environment holds a secret.
 */
export function natsAccountsConfig(identities: readonly BusApiIdentity[] = []): string {
  const password = '';
  const embedded = natsServerConfig(
    serviceUsers(() => password),
    identities.map((identity) => ({ ...identity, password })),
  );
  const { accounts, max_payload } = JSON.parse(embedded) as ServerConfig;
  const config = {
    max_payload,
    system_account: SYSTEM_ACCOUNT,
    accounts: {
      [SYSTEM_ACCOUNT]: { users: [{ nkey: `$${nkeyVariable(SYSTEM_USER)}` }] },
      ...Object.fromEntries(Object.entries(accounts).map(([name, account]) => [name, byNkey(account)])),
    },
  };
  // The server takes a quoted variable as text.
  return `${JSON.stringify(config, null, 2).replaceAll(/"(\$NATS_NKEY_\w+)"/g, '$1')}\n`;
}

interface Account {
  users: { user: string; password: string; permissions: object }[];
}

interface ServerConfig {
  max_payload: number;
  accounts: Record<string, Account>;
}

function byNkey({ users, ...account }: Account): object {
  return {
    ...account,
    users: users.map(({ user, permissions }) => ({ nkey: `$${nkeyVariable(user)}`, permissions })),
  };
}
