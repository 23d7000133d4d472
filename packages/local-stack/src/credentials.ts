import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { ACCESS, type ServiceName } from '@agentclash/contracts';
import { StackError } from './stack-error.js';

/** Every secret of one stack, made once and kept in a file that only its owner reads. */
export interface Credentials {
  /** Passwords on bus and database, by service. */
  passwords: Record<ServiceName, string>;
  vaultKeys: Record<string, string>;
  vaultActiveKey: string;
  /** The administrator's token of the default workspace. */
  adminToken: string;
}

/**
 * Reads the credentials of a data folder, or makes them when it is new. With data but without credentials the stored
 * secrets could never be opened again: that is an error, not a reason for new keys.
 */
export async function loadCredentials(file: string, isNewFolder: boolean): Promise<Credentials> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return parse(text, file);
  if (!isNewFolder) {
    throw new StackError(
      'credentials_missing',
      `${file} is missing, but its folder holds data that was encrypted with the keys in it.`,
      'Restore the file from a backup, or start with another folder: --data <folder>.',
    );
  }
  const made = makeCredentials();
  await writeFile(`${file}.new`, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
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
    vaultKeys: { k1: randomBytes(32).toString('base64') },
    vaultActiveKey: 'k1',
    adminToken: `ac_${random()}`,
  };
}
