import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SandboxError } from '../sandbox-error.js';
import type { KubernetesApi } from './api.js';
import { canaryName, runInCanary, startCanary } from './canary.js';
import type { DirectoriesClaim } from './directories-claim.js';
import type { KubernetesOptions } from './options.js';
import { removePod } from './pods.js';

const FILE = 'file';
const MOUNTED = '/opt/agentclash-check';

export interface ClaimProbe {
  api: KubernetesApi;
  options: KubernetesOptions;
  claim: DirectoriesClaim;
}

/** A file that this process writes must be there in a pod. Throws `unavailable`, with what to change. */
export async function probeClaim({ api, options, claim }: ClaimProbe): Promise<void> {
  const directory = await markedDirectory(claim);
  const name = canaryName();
  try {
    await startCanary({ api, options, name, directories: [{ source: directory, path: MOUNTED }] });
    const isSeen = await runInCanary(api, name, ['/bin/sh', '-c', `test -f ${MOUNTED}/${FILE}`]);
    if (isSeen !== 0) throw new Error('the volume of the claim has other files than the directory');
  } catch (error) {
    // The words of the cluster are the cause of an error of ours.
    const cause = (error instanceof SandboxError && error.cause) || error;
    throw new SandboxError(
      'unavailable',
      `pods cannot read AGENT_PACKAGES_DIR from the claim ${claim.name}`,
      {
        cause,
        fix: 'see that the namespace of sandboxes has the claim AGENT_PACKAGES_CLAIM and that its volume, or the part AGENT_PACKAGES_CLAIM_PATH of it, is mounted at AGENT_PACKAGES_DIR of the executor (docs/kubernetes.md)',
      },
    );
  } finally {
    await removePod(api, name).finally(() => rm(directory, { recursive: true, force: true }));
  }
}

async function markedDirectory({ directory }: DirectoriesClaim): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o755 });
    const marked = await mkdtemp(path.join(directory, 'check-'));
    // Sandboxes read it as users of their own.
    await chmod(marked, 0o755);
    await writeFile(path.join(marked, FILE), '', { mode: 0o644 });
    return marked;
  } catch (cause) {
    throw new SandboxError('unavailable', 'AGENT_PACKAGES_DIR cannot be written', {
      cause,
      fix: 'mount a volume there that the user of the executor may write (docs/kubernetes.md)',
    });
  }
}
