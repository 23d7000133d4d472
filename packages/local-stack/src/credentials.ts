import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ACCESS, type ServiceName } from '@agentclash/contracts';
import type { Layout } from './layout.js';
import { writeOwnFile } from './own-file.js';
import { StackError } from './stack-error.js';

/** Every secret of one stack, made once and kept in a file that only its owner reads. */
export interface Credentials {
  /** Passwords on bus and database, by service. */
  passwords: Record<ServiceName, string>;
  /** The administrator's token of the default workspace. */
  adminToken: string;
  /** May make workspaces and rotate the vault's keys. */
  operatorToken: string;
}

/**
 * Reads the credentials of a data folder and makes sure of the vault's keys, or makes both when it is new. With data but
 * without them the stored secrets could never be opened again: that is an error, not a reason for new keys.
 */
export async function loadCredentials(
  { credentials, vaultKeys }: Pick<Layout, 'credentials' | 'vaultKeys'>,
  isNewFolder: boolean,
): Promise<Credentials> {
  const text = await findText(credentials);
  if (text === undefined && !isNewFolder) throw missing(credentials);
  if ((await findText(vaultKeys)) === undefined) {
    if (!isNewFolder) throw missing(vaultKeys);
    await writeOwnFile(vaultKeys, { active: 'k1', keys: { k1: randomBytes(32).toString('base64') } });
  }
  if (text !== undefined) return parse(text, credentials);
  const made = makeCredentials();
  await writeOwnFile(credentials, made);
  return made;
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function findText(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function missing(file: string): StackError {
  return new StackError(
    'credentials_missing',
    `${file} is missing, but its folder holds data that was encrypted with the keys of its owner.`,
    'Restore the file from a backup, or start with another folder: --data <folder>.',
  );
}

function parse(text: string, file: string): Credentials {
  try {
    return JSON.parse(text) as Credentials;
  } catch {
    throw new StackError('credentials_broken', `${file} is not JSON.`, 'Restore the file from a backup.');
  }
}

function makeCredentials(): Credentials {
  const random = () => randomBytes(24).toString('base64url');
  const services = Object.keys(ACCESS) as ServiceName[];
  return {
    passwords: Object.fromEntries(services.map((service) => [service, random()])) as Record<
      ServiceName,
      string
    >,
    adminToken: `ac_${random()}`,
    operatorToken: `ac_${random()}`,
  };
}
