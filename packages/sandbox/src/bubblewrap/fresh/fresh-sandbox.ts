import { execFile } from 'node:child_process';
import { chmod, chown, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolEnvironment } from '../config.js';
import { type FreshPlan, freshPlaces } from './fresh-arguments.js';

const run = promisify(execFile);
const TRIES = 5;

export function freshDirectory(stateDir: string, id: string): string {
  return path.join(stateDir, 'fresh', id);
}

/** Makes the writable places of a sandbox, owned by whom its commands run as. */
export async function makePlaces(plan: FreshPlan): Promise<void> {
  await mkdir(plan.directory, { recursive: true, mode: 0o711 });
  for (const { host, inside } of freshPlaces(plan)) {
    await mkdir(host);
    await chmod(host, inside === '/tmp' ? 0o1777 : 0o755);
    if (plan.uid !== undefined) await chown(host, plan.uid, plan.uid);
  }
}

/** By the system's tools, which follow no link and mind neither depth nor permission bits. */
export async function removePlaces(directory: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run('chmod', ['-R', 'u+rwx', '--', directory], { env: toolEnvironment() }).catch(() => {});
      await run('rm', ['-rf', '--', directory], { env: toolEnvironment() });
      return;
    } catch (error) {
      // A process that is being killed may still have added something.
      if (attempt === TRIES) throw error;
    }
  }
}
