import { readFile, rename, writeFile } from 'node:fs/promises';
import { type BusApiUser, natsServerConfig, serviceUsers } from '@agentclash/bus';
import { storeIn } from '@agentclash/embedded';
import type { Credentials } from './credentials.js';
import type { Layout } from './layout.js';

/** Writes the users of the bus, with their passwords, where nats-server reads them. */
export async function writeBusConfig(layout: Layout, { passwords }: Credentials): Promise<void> {
  const users = serviceUsers((service) => passwords[service]);
  const config = natsServerConfig(users, await readBusApiUsers(layout), {
    // Named here and not on the command line: else a reload would find it changed.
    store_dir: storeIn(layout.nats),
  });
  await writeFile(`${layout.natsConfig}.new`, config, { mode: 0o600 });
  await rename(`${layout.natsConfig}.new`, layout.natsConfig);
}

/** The bus users of internal services. */
export async function readBusApiUsers({ busApiUsers }: Pick<Layout, 'busApiUsers'>): Promise<BusApiUser[]> {
  const text = await readFile(busApiUsers, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  return JSON.parse(text) as BusApiUser[];
}
