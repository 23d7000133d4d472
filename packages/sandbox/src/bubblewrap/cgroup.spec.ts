import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Cgroup } from './cgroup.js';
import type { CgroupLayout } from './cgroup-layout.js';

const MIB = 1024 * 1024;
const LIMITS = { memoryBytes: 256 * MIB, pids: 64, cpu: 1.5 };

/** Plain directories in place of the kernel's: a test reads the files that were written and writes the figures. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'agentclash-cgroup-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function written(directory: string): Record<string, string> {
  const names = readdirSync(directory);
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(directory, name), 'utf8')]));
}

test('one group has every limit in version 2, and swap is off', async () => {
  const layout: CgroupLayout = { version: 2, name: 'x', parents: { memory: root, pids: root, cpu: root } };
  const cgroup = Cgroup.create(layout, 'sb-1', LIMITS);
  const group = path.join(root, 'sb-1');
  expect(cgroup.joinFiles).toEqual([path.join(group, 'cgroup.procs')]);
  expect(written(group)).toEqual({
    'memory.max': String(256 * MIB),
    'memory.swap.max': '0',
    'pids.max': '144',
    'cpu.max': '150000 100000',
  });
  writeFileSync(path.join(group, 'memory.events'), 'low 0\noom 3\noom_kill 2\noom_group_kill 0\n');
  writeFileSync(path.join(group, 'cpu.stat'), 'usage_usec 1500\nuser_usec 900\n');
  writeFileSync(path.join(group, 'memory.peak'), '4096\n');
  expect(cgroup.oomKills()).toBe(2);
  expect(await cgroup.stats()).toEqual({ oomKills: 2, cpuMs: 1.5, memoryPeakBytes: 4096 });
});

test('each controller has a group in version 1, and those mounted together share one', () => {
  const parents: Record<string, string> = {};
  for (const name of ['memory', 'pids', 'cpu']) {
    parents[name] = mkdtempSync(path.join(root, name));
  }
  const layout: CgroupLayout = {
    version: 1,
    name: 'x',
    parents: { ...parents, ...(parents.cpu ? { cpuacct: parents.cpu } : {}) },
  };
  const cgroup = Cgroup.create(layout, 'sb-1', { ...LIMITS, cpu: 0.001 });
  expect(cgroup.joinFiles).toHaveLength(3);
  expect(written(path.join(parents.memory ?? '', 'sb-1'))).toEqual({
    'memory.limit_in_bytes': String(256 * MIB),
    'memory.memsw.limit_in_bytes': String(256 * MIB),
  });
  // The kernel takes no quota below a millisecond.
  expect(written(path.join(parents.cpu ?? '', 'sb-1'))).toEqual({
    'cpu.cfs_period_us': '100000',
    'cpu.cfs_quota_us': '1000',
  });
});

test('a group of version 2 that counts pressure replaces cpuacct for the use of CPU in version 1', async () => {
  const parents: Record<string, string> = {};
  for (const name of ['memory', 'pids', 'cpu', 'pressure'])
    parents[name] = mkdtempSync(path.join(root, name));
  const cgroup = Cgroup.create({ version: 1, name: 'x', parents }, 'sb-1', LIMITS);
  expect(cgroup.joinFiles).toHaveLength(4);
  writeFileSync(path.join(parents.pressure ?? '', 'sb-1', 'cpu.stat'), 'usage_usec 1500\nuser_usec 900\n');
  expect(await cgroup.stats()).toEqual({ cpuMs: 1.5 });
});
