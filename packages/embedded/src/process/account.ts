import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An ordinary user of this machine. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

const OWN_ACCOUNT = 'agentclash';
const LAST_RESORT = 'nobody';

/**
 * The account that servers which refuse to run as root run under, created when absent. Where users cannot
 * be created (a read-only `/etc`), it is `nobody`.
 */
export async function serverAccount(): Promise<Account> {
  const existing = await findAccount(OWN_ACCOUNT);
  if (existing) return existing;
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir=/nonexistent',
      '--shell=/usr/sbin/nologin',
      OWN_ACCOUNT,
    ]);
  } catch {
    // Another start may have created it at the same time: only its existence matters.
  }
  const account = (await findAccount(OWN_ACCOUNT)) ?? (await findAccount(LAST_RESORT));
  if (!account) throw new Error(`neither of the accounts ${OWN_ACCOUNT} and ${LAST_RESORT} exists`);
  return account;
}

async function findAccount(name: string): Promise<Account | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8');
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find(([login]) => login === name);
  return fields && { name, uid: Number(fields[2]), gid: Number(fields[3]) };
}

/**
 * The first folder on the path to `target` (itself included) that the account may not enter; undefined when it can
 * reach it.
 */
export async function closedFolder(target: string, account: Account): Promise<string | undefined> {
  for (const folder of [...ancestors(target), target]) {
    const { uid, gid, mode } = await stat(folder);
    const enter =
      uid === account.uid ? constants.S_IXUSR : gid === account.gid ? constants.S_IXGRP : constants.S_IXOTH;
    if ((mode & enter) === 0) return folder;
  }
  return undefined;
}

/** From the root down, without the target. */
function ancestors(target: string): string[] {
  const parent = path.dirname(target);
  return parent === target ? [] : [...ancestors(parent), parent];
}
