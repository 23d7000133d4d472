import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
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
