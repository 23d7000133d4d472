import { expect, test } from '@jest/globals';
import { parseCgroupMounts } from './cgroup-layout.js';

test('mounts of both versions are found in mountinfo', () => {
  const text = [
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard',
    '32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct',
    '35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory',
    '41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate',
    '',
  ].join('\n');
  expect(parseCgroupMounts(text)).toEqual([
    { version: 1, mountPoint: '/sys/fs/cgroup/cpu,cpuacct', controllers: ['rw', 'cpu', 'cpuacct'] },
    { version: 1, mountPoint: '/sys/fs/cgroup/memory', controllers: ['rw', 'memory'] },
    { version: 2, mountPoint: '/sys/fs/cgroup/unified', controllers: [] },
  ]);
});
