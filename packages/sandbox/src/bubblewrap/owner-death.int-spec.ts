import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { TestProvider } from '../testing/test-provider.js';
import { liveProcesses } from './live-processes.js';

const machine = new TestProvider();
afterAll(() => machine.expectNothingLeft());

const LOADER = path.resolve(import.meta.dirname, '../../../testkit/src/jest/typescript.mjs');

function owner(): string {
  return `
    import { createBubblewrapProvider } from '@agentclash/sandbox';
    const provider = await createBubblewrapProvider(${JSON.stringify({ stateDir: machine.stateDir, cgroupName: machine.cgroupName })});
    const limits = { cpu: 1, memoryBytes: 64 << 20, pids: 64, workspaceBytes: 1 << 20 };
    for (let i = 0; i < 3; i++) {
      const session = await provider.create({ limits, labels: { runId: 'r', attemptId: String(i) }, leaseMs: 3_600_000 });
      await session.exec(['sh', '-c', "trap '' TERM HUP; setsid sleep 3600 & sleep 3600 &"]);
      void session.exec(['sleep', '3600']);
    }
    console.log('running');
  `;
}

test('sandboxes die with a killed owner, and the next start removes its remains', async () => {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', LOADER, '--input-type=module', '--eval', owner()],
    {
      cwd: path.resolve(import.meta.dirname, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  if (child.stdout) await Promise.race([once(child.stdout, 'data'), exited]);
  expect(machine.records()).toHaveLength(3);
  const running = machine.processes().length;
  expect(running).toBeGreaterThanOrEqual(3);

  child.kill('SIGKILL');
  await exited;
  await waitFor(() => machine.processes().length === 0);

  const provider = await machine.open();
  expect(machine.records()).toEqual([]);
  expect(machine.cgroups()).toEqual([]);
  await provider.close();
}, 60_000);

test('sandboxes of a live owner are removed by no other process', async () => {
  const provider = await machine.open();
  const session = await provider.create({
    limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 },
    labels: { runId: 'r', attemptId: 'a' },
  });
  expect(await provider.reap()).toEqual({ removed: [] });
  expect((await session.exec(['echo', 'alive'])).stdout.toString()).toBe('alive\n');
  await provider.close();
}, 60_000);

test('a process is recorded from the opening of its provider until it is closed or dead', async () => {
  const pids = async () => (await liveProcesses(machine.stateDir)).map(({ pid }) => pid);
  const child = spawn(process.execPath, ['--import', LOADER, '--input-type=module', '--eval', owner()], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  expect(await pids()).toEqual([child.pid]);
  child.kill('SIGKILL');
  await exited;
  expect(await pids()).toEqual([]);

  const providers = [await machine.open(), await machine.open()];
  expect(await pids()).toEqual([process.pid, process.pid]);
  expect(readdirSync(path.join(machine.stateDir, 'processes'))).toHaveLength(2);
  for (const provider of providers) await provider.close();
  expect(await pids()).toEqual([]);
}, 60_000);

test('an idle sandbox uses no CPU', async () => {
  const provider = await machine.open();
  const session = await provider.create({
    limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 },
    labels: { runId: 'r', attemptId: 'a' },
  });
  const ticks = async () =>
    (await session.exec(['cat', '/proc/1/schedstat', '/proc/2/schedstat'])).stdout
      .toString()
      .split('\n')
      .slice(0, 2)
      .map((line) => Number(line.split(' ')[2]));
  const before = await ticks();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const after = await ticks();
  // Times it was given a processor: a few for the two commands, hundreds if anything polled.
  const wakeups = after.map((count, index) => count - (before[index] ?? 0));
  expect(Math.max(...wakeups)).toBeLessThan(30);
  await provider.close();
}, 60_000);
