import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SandboxError } from '../sandbox-error.js';
import type { KubernetesApi } from './api.js';
import { canaryName, runInCanary, startCanary } from './canary.js';
import type { DirectoriesClaim } from './directories-claim.js';
import type { KubernetesOptions } from './options.js';
import { removePod } from './pods.js';

const FILE = 'file';
const CONTENT = 'kept';
const MOUNTED = '/opt/agentclash-check';

export interface ClaimProbe {
  api: KubernetesApi;
  options: KubernetesOptions;
  claim: DirectoriesClaim;
}

/**
 * A file that this process writes must be there in a pod, and stay as it is: on gVisor a mount that is read-only for the
 * container alone does not keep its files from being truncated. Throws `unavailable`, with what to change.
 */
export async function probeClaim({ api, options, claim }: ClaimProbe): Promise<void> {
  const directory = await markedDirectory(claim);
  const name = canaryName();
  let isKept = true;
  try {
    await startCanary({ api, options, name, directories: [{ source: directory, path: MOUNTED }] });
    const script = `test -s ${MOUNTED}/${FILE} || exit 1; : 2>/dev/null > ${MOUNTED}/${FILE}; exit 0`;
    const isSeen = await runInCanary(api, name, ['/bin/sh', '-c', `(${script})`]);
    isKept = (await readFile(path.join(directory, FILE), 'utf8')) === CONTENT;
    if (isSeen === 1) throw new Error('the volume of the claim has other files than the directory');
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
  if (isKept) return;
  throw new SandboxError('unavailable', `pods can truncate files of the claim ${claim.name}`, {
    fix: 'on gVisor use a volume that its driver mounts read-only on the node for a claim that is (CSI, NFS; not hostPath), or leave AGENT_PACKAGES_CLAIM out (docs/sandbox.md)',
  });
}

async function markedDirectory({ directory }: DirectoriesClaim): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o755 });
    const marked = await mkdtemp(path.join(directory, 'check-'));
    // Sandboxes read it as users of their own.
    await chmod(marked, 0o755);
    await writeFile(path.join(marked, FILE), CONTENT);
    // Writable for all, so that nothing but the mount protects it.
    await chmod(path.join(marked, FILE), 0o666);
    return marked;
  } catch (cause) {
    throw new SandboxError('unavailable', 'AGENT_PACKAGES_DIR cannot be written', {
      cause,
      fix: 'mount a volume there that the user of the executor may write (docs/kubernetes.md)',
    });
  }
}
