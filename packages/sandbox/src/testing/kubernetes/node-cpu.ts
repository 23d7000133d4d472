import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The CPU time that the kernel of the node, which is this machine, has counted for a pod, in milliseconds. */
export function cpuMsAtNode(podUid: string): number {
  // One driver of cgroups writes hyphens as underscores, and both a hierarchy for each class of pods.
  const pods = `kubepods*/**/*pod{${podUid},${podUid.replaceAll('-', '_')}}*`;
  for (const directory of globSync(
    ['.', 'cpuacct', 'cpu,cpuacct'].map((each) => `/sys/fs/cgroup/${each}/${pods}`),
  )) {
    const [ofSecond, ofFirst] = ['cpu.stat', 'cpuacct.usage'].map((name) => path.join(directory, name));
    if (ofFirst !== undefined && existsSync(ofFirst)) return Number(readFileSync(ofFirst, 'utf8')) / 1e6;
    const [, us] = /^usage_usec (\d+)$/m.exec(readFileSync(ofSecond ?? '', 'utf8')) ?? [];
    if (us !== undefined) return Number(us) / 1e3;
  }
  throw new Error(`this machine has no cgroup of the pod ${podUid}`);
}
