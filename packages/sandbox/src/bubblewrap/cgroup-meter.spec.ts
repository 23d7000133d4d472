import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Cgroup } from './cgroup.js';
import type { CgroupLayout } from './cgroup-layout.js';
import { CgroupMeter } from './cgroup-meter.js';
import { reportsRunDelays } from './run-delays.js';

/** Plain directories in place of the kernel's. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'agentclash-meter-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function meterOver(version: 1 | 2, files: Record<string, Record<string, string>>): CgroupMeter {
  const parents: Record<string, string> = {};
  for (const [controller, texts] of Object.entries(files)) {
    const parent = path.join(root, version === 2 ? 'all' : controller);
    parents[controller] = parent;
    mkdirSync(path.join(parent, 'sb-1'), { recursive: true });
    for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(parent, 'sb-1', name), text);
  }
  const layout: CgroupLayout = { version, name: 'x', parents };
  return new CgroupMeter(Cgroup.existing(layout, 'sb-1'), version);
}

const PRESSURE = `some avg10=1.00 avg60=0.00 avg300=0.00 total=9000000
full avg10=0.00 avg60=0.00 avg300=0.00 total=2500000
`;

test('one group has all figures in version 2', () => {
  const stat = 'usage_usec 1500000\nnr_periods 30\nnr_throttled 4\nthrottled_usec 120000\n';
  const meter = meterOver(2, {
    cpu: { 'cpu.stat': stat, 'cgroup.procs': '' },
    pressure: { 'cpu.pressure': PRESSURE },
  });
  expect(meter.read()).toEqual({
    atMs: expect.any(Number),
    usedMs: 1_500,
    throttledMs: 120,
    throttledPeriods: 4,
    pressureMs: 2_500,
    threads: { times: new Map(), unread: new Set() },
  });
  meter.close();
  expect(meter.read()).toBeUndefined();
});

test('pressure and use come from a group of version 2 in version 1, and the throttled time from its own', () => {
  const meter = meterOver(1, {
    cpu: { 'cpu.stat': 'nr_periods 30\nnr_throttled 4\nthrottled_time 120000000\n' },
    pressure: {
      'cpu.pressure': PRESSURE,
      'cpu.stat': 'usage_usec 1500000\nuser_usec 1\n',
      'cgroup.procs': '',
    },
  });
  expect(meter.read()).toMatchObject({
    usedMs: 1_500,
    throttledMs: 120,
    throttledPeriods: 4,
    pressureMs: 2_500,
  });
  meter.close();
});

test('the delays of the threads of the group are read where the kernel counts no pressure', () => {
  const meter = meterOver(1, {
    cpu: { 'cpu.stat': 'nr_throttled 0\nthrottled_time 0\n', 'cgroup.procs': `${process.pid}\n4000000\n` },
    cpuacct: { 'cpuacct.usage': '7000000\n' },
  });
  const [begun, later] = [meter.begin(), meter.read()];
  meter.close();
  expect(begun).toMatchObject({ usedMs: 7, pressureMs: undefined });
  expect(begun?.threads).toEqual({ times: new Map(), unread: new Set([String(process.pid), '4000000']) });
  const self = later?.threads.times.get(`${process.pid}/${process.pid}`);
  expect(self).toEqual({ ranMs: expect.any(Number), waitedMs: expect.any(Number) });
  expect(self?.ranMs).toBeGreaterThan(0);
  expect(reportsRunDelays()).toBe(true);
});

test('a removed group has no reading', () => {
  const meter = meterOver(2, { cpu: {}, pressure: {} });
  expect(meter.read()).toBeUndefined();
});

test('threads are listed again only after the group has run or waited, and always without a count of pressure', () => {
  const stat = (usedUs: number) => `usage_usec ${usedUs}\nnr_throttled 0\nthrottled_usec 0\n`;
  const procs = `${process.pid}\n`;
  const meter = meterOver(2, {
    cpu: { 'cpu.stat': stat(5), 'cgroup.procs': procs },
    pressure: { 'cpu.pressure': PRESSURE },
  });
  const write = (name: string, text: string) => writeFileSync(path.join(root, 'all', 'sb-1', name), text);
  const first = meter.read();
  expect(first?.threads.times.size).toBeGreaterThan(0);
  expect(meter.begin()?.threads).not.toBe(first?.threads);
  expect(meter.read()?.threads).toBe(first?.threads);
  write('cpu.stat', stat(6));
  const second = meter.read();
  expect(second?.threads).not.toBe(first?.threads);
  write('cpu.pressure', PRESSURE.replace('2500000', '2500001'));
  expect(meter.read()?.threads).not.toBe(second?.threads);
  meter.close();
  const files = { 'cpu.stat': 'nr_throttled 0\nthrottled_time 0\n', 'cgroup.procs': procs };
  const without = meterOver(1, { cpu: files, cpuacct: { 'cpuacct.usage': '7000000\n' } });
  expect(without.read()?.threads).not.toBe(without.read()?.threads);
  without.close();
});
