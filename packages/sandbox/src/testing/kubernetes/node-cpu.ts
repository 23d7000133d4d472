import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const HIERARCHIES = ['.', 'cpu', 'cpuacct', 'cpu,cpuacct'];

/** Figures of the kernel of the node, which is this machine, for a pod: CPU time used, in milliseconds, and CPUs allowed at a time. */
export function cpuAtNode(podUid: string): { usedMs: number; limit: number } {
  // One driver of cgroups writes hyphens as underscores, and both have a directory for each class of pods.
  const pods = `kubepods*/**/*pod{${podUid},${podUid.replaceAll('-', '_')}}*`;
  const directories = globSync(HIERARCHIES.map((each) => `/sys/fs/cgroup/${each}/${pods}`));
  const read = (name: string) => {
    const file = directories.map((each) => path.join(each, name)).find((each) => existsSync(each));
    return file === undefined ? undefined : readFileSync(file, 'utf8');
  };
  const usage = read('cpuacct.usage');
  // Version 2 has both figures in files of its own.
  const [, usageUs] = /^usage_usec (\d+)$/m.exec(read('cpu.stat') ?? '') ?? [];
  const [quota, period] = read('cpu.max')?.split(' ') ?? [
    read('cpu.cfs_quota_us'),
    read('cpu.cfs_period_us'),
  ];
  return {
    usedMs: usage === undefined ? Number(usageUs) / 1e3 : Number(usage) / 1e6,
    limit: Number(quota) / Number(period),
  };
}
