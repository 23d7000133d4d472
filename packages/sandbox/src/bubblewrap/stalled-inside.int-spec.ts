import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import type { ExecResult } from '../contract.js';
import { TestProvider } from '../testing/test-provider.js';

const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 },
  labels: { runId: 'r', attemptId: 'a' },
};
const LIMIT_MS = 1_000;
const STALL_MS = 1_500;

const machine = new TestProvider();
afterAll(() => machine.expectNothingLeft());

/** The process inside: the first of its namespace, as an overloaded machine would stop it. */
function insideOf(pids: readonly number[]): number {
  const pid = pids.find((each) => /^NSpid:\t\d+\t1$/m.test(readFileSync(`/proc/${each}/status`, 'utf8')));
  if (pid === undefined) throw new Error('no process inside');
  return pid;
}

async function stalled(seconds: string, stallAfterMs: number): Promise<ExecResult> {
  const provider = await machine.open();
  try {
    const session = await provider.create(SPEC);
    await session.exec(['true']);
    const inside = insideOf(machine.processes());
    if (stallAfterMs === 0) process.kill(inside, 'SIGSTOP');
    const running = session.exec(['sleep', seconds], { timeoutMs: LIMIT_MS });
    await pause(stallAfterMs);
    process.kill(inside, 'SIGSTOP');
    await pause(STALL_MS);
    process.kill(inside, 'SIGCONT');
    return await running;
  } finally {
    await provider.close();
  }
}

test('the time limit of a command excludes the time that the platform takes to start it', async () => {
  const result = await stalled('0.6', 0);
  expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  expect(result.durationMs).toBeGreaterThan(STALL_MS + 550);
  expect(result.durationMs - (result.starvedMs ?? 0)).toBeLessThan(LIMIT_MS);
});

test('the time of a command excludes the time that the platform takes to notice its end', async () => {
  const result = await stalled('0.4', 200);
  expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  expect(result.durationMs).toBeGreaterThan(STALL_MS);
  expect(result.durationMs - (result.starvedMs ?? 0)).toBeLessThan(LIMIT_MS);
});

test('the time limit of a command counts from its start where that was late, and ends it', async () => {
  const result = await stalled('30', 0);
  expect(result).toMatchObject({ timedOut: true });
  expect(result.durationMs).toBeGreaterThan(STALL_MS + LIMIT_MS - 50);
});
