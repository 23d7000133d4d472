import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { expect, test } from '@jest/globals';
import { findTestRunsc } from '../testing/gvisor/fixture.js';
import { TestProvider } from '../testing/test-provider.js';

const LOADER = path.resolve(import.meta.dirname, '../../../testkit/src/jest/typescript.mjs');
const found = findTestRunsc();

function ownerOf({ stateDir, cgroupName }: TestProvider, runsc: string): string {
  return `
    import { createBubblewrapProvider } from '@agentclash/sandbox';
    const provider = await createBubblewrapProvider(${JSON.stringify({ stateDir, cgroupName, isolation: 'gvisor', runsc })});
    const session = await provider.create({
      limits: { cpu: 1, memoryBytes: 64 << 20, pids: 64, workspaceBytes: 1 << 20 },
      labels: { runId: 'r', attemptId: 'a' },
      leaseMs: 3_600_000,
    });
    await session.exec(['sh', '-c', "trap '' TERM HUP; setsid sleep 3600 & sleep 3600 &"]);
    console.log('running');
  `;
}

if ('skipped' in found) {
  test.skip(`sandboxes on gVisor die with a killed owner, but not here: ${found.skipped}`, () => {});
} else {
  test('sandboxes on gVisor die with a killed owner, and the next start removes its remains', async () => {
    const machine = new TestProvider();
    const owner = ownerOf(machine, found.program);
    const flags = ['--import', LOADER, '--input-type=module', '--eval', owner];
    const cwd = path.resolve(import.meta.dirname, '../..');
    const child = spawn(process.execPath, flags, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), exited]);
    expect(machine.records()).toHaveLength(1);
    expect(machine.processes().length).toBeGreaterThanOrEqual(3);

    child.kill('SIGKILL');
    await exited;
    await waitFor(() => machine.processes().length === 0);

    const provider = await machine.open({ isolation: 'gvisor', runsc: found.program });
    expect(machine.records()).toEqual([]);
    expect(machine.cgroups()).toEqual([]);
    await provider.close();
    await machine.expectNothingLeft();
  }, 60_000);
}
