import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { BusApiUser } from '@agentclash/bus';
import { ACCESS } from '@agentclash/contracts';
import { reloadNats } from '@agentclash/embedded';
import { readBusApiUsers, writeBusConfig } from './bus-config.js';
import { loadCredentials } from './credentials.js';
import { type Layout, openLayout } from './layout.js';
import { writeOwnFile } from './own-file.js';
import { StackError } from './stack-error.js';

/** The login of an internal service. */
export interface BusApiLogin extends BusApiUser {
  /** True when the user was made just now; else it is the one from before. */
  isNew: boolean;
}

const USER = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * Makes a bus user for an internal service of one workspace, or finds it. A new one is let in when the stack starts next:
 * servers that read their configuration again do not connect a new account with streams that exist. Throws
 * StackError for a name that is taken by a service or in another workspace.
 */
export async function addBusApiUser(
  data: string,
  { user, workspaceId }: { user: string; workspaceId: string },
): Promise<BusApiLogin> {
  const layout = await existingLayout(data);
  const users = await readBusApiUsers(layout);
  const known = users.find((entry) => entry.user === user);
  if (known?.workspaceId === workspaceId) return { ...known, isNew: false };
  if (known || !USER.test(user) || Object.hasOwn(ACCESS, user)) {
    const why = known ? 'belongs to another workspace' : 'is no name for an internal service';
    throw new StackError(
      'front_door_name',
      `"${user}" ${why}`,
      'Choose lower-case letters, digits and hyphens.',
    );
  }
  const entry = { workspaceId, user, password: randomBytes(24).toString('base64url') };
  await keep(layout, [...users, entry]);
  return { ...entry, isNew: true };
}

/** Takes a bus user away; what it has open is closed. False when there is none of that name. */
export async function removeBusApiUser(data: string, user: string): Promise<boolean> {
  const layout = await existingLayout(data);
  const users = await readBusApiUsers(layout);
  const others = users.filter((entry) => entry.user !== user);
  if (others.length === users.length) return false;
  await keep(layout, others);
  reloadNats(layout.nats);
  return true;
}

/** The internal services that are let in, without their passwords. */
export async function listBusApiUsers(data: string): Promise<Omit<BusApiUser, 'password'>[]> {
  const users = await readBusApiUsers(await existingLayout(data));
  return users.map(({ user, workspaceId }) => ({ user, workspaceId }));
}

async function keep(layout: Layout, users: BusApiUser[]): Promise<void> {
  await writeOwnFile(layout.busApiUsers, users);
  await writeBusConfig(layout, await loadCredentials(layout, false));
}

async function existingLayout(data: string): Promise<Layout> {
  const layout = await openLayout(data);
  if (existsSync(layout.credentials)) return layout;
  throw new StackError('not_running', `${layout.folder} holds no stack`, 'agentclash up starts one.');
}
