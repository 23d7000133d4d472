import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import type { AttemptPlan } from '@agentclash/attempt-plan';
import { execution, PROMPTS_PER_JOB } from '@agentclash/contracts';
import { newId, type RunningService } from '@agentclash/service-kit';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { executorConfig, startSandboxExecutor } from '../../index.js';
import { attemptPlan, graderPlan } from '../../testing/assignments.js';
import { FakeServices } from '../../testing/fake-services.js';

const nats = await freshNats();
const blobFolder = mkdtempSync(path.join(tmpdir(), 'agentclash-executor-'));

describe('attempts without a sandbox', () => {
  let services: FakeServices;
  let service: RunningService;

  beforeAll(async () => {
    services = await FakeServices.open(nats.url);
    const environment = {
      NATS_URL: nats.url,
      BLOB_FOLDER: blobFolder,
      // No place for a single one more: prompts need none.
      SANDBOX_MAX_CONCURRENT: '1',
      PROMPTS_MAX_CONCURRENT: String(3 * PROMPTS_PER_JOB),
      LOG_LEVEL: 'fatal',
    };
    const logTo = new Writable({ write: (_chunk, _encoding, done) => done() });
    service = await startSandboxExecutor(executorConfig(environment), { logTo });
  }, 60_000);

  afterAll(async () => {
    await service?.close();
    await services?.close();
    rmSync(blobFolder, { recursive: true, force: true });
  });

  const prompts = (count: number, steps: object[]): AttemptPlan[] => {
    const run_id = newId();
    return Array.from({ length: count }, () => ({
      ...attemptPlan({ kind: 'scripted', config: { steps: steps as [] } }),
      mode: 'prompt_eval' as const,
      is_unverified: true as const,
      run_id,
    }));
  };

  test('attempts of one job are claimed, driven and reported together, each with its whole history', async () => {
    const plans = prompts(PROMPTS_PER_JOB, [{ answer: 'Lima' }]);
    const assignments = plans.map((plan) => services.know(plan, graderPlan(plan)));
    await services.bus.send(execution.prompt, jobOf(plans), newId());
    for (const assignment of assignments) {
      const result = await services.finished(assignment);
      expect(result).toMatchObject({ outcome: 'completed', finished_by: 'script', snapshot: null });
      expect(assignment.events.map(({ sequence_number }) => sequence_number)).toEqual(
        Array.from({ length: result.last_sequence }, (_, index) => index + 1),
      );
      expect(assignment.of('system.output.finalized')).toMatchObject([{ final_output: 'Lima' }]);
    }
    expect(services.claims).toEqual([PROMPTS_PER_JOB]);
    expect(services.finishes.reduce((sum, count) => sum + count)).toBe(PROMPTS_PER_JOB);
    expect(services.finishes.length).toBeLessThan(PROMPTS_PER_JOB / 2);
  });

  test('attempts of simultaneous jobs are claimed together, a repeated attempt once', async () => {
    const plans = prompts(40, [{ answer: 'Lima' }]);
    const assignments = plans.map((plan) => services.know(plan, graderPlan(plan)));
    const send = (batch: AttemptPlan[]) => services.bus.send(execution.prompt, jobOf(batch), newId());
    const before = services.claims.length;
    // While the first request is made again, the others gather.
    services.loseReply('claim');
    await send(plans.slice(0, 10));
    await waitFor(() => services.claims.length > before);
    await send(plans.slice(10, 30));
    await send(plans.slice(20));
    for (const assignment of assignments) {
      const { last_sequence } = await services.finished(assignment);
      expect(assignment.events.map(({ sequence_number }) => sequence_number)).toEqual(
        Array.from({ length: last_sequence }, (_, index) => index + 1),
      );
    }
    expect(services.claims.slice(before)).toEqual([10, 10, 30]);
  });

  test('attempts are claimed again with the same id when the reply was lost', async () => {
    const plans = prompts(2, [{ answer: 'Lima' }]);
    const assignments = plans.map((plan) => services.know(plan, graderPlan(plan)));
    const before = services.claimIds.length;
    services.loseReply('claim');
    await services.bus.send(execution.prompt, jobOf(plans), newId());
    for (const assignment of assignments) await services.finished(assignment);
    const [first, again, ...more] = services.claimIds.slice(before);
    expect(first).toEqual(expect.any(String));
    expect([again, more]).toEqual([first, []]);
  });

  test('attempts do not wait for a slow one of their job, nor does the next job', async () => {
    const [slow, ...quick] = prompts(PROMPTS_PER_JOB, [{ answer: 'quick' }]);
    if (slow === undefined) throw new Error('no plan');
    const waiting: AttemptPlan = {
      ...slow,
      agent: { kind: 'scripted', config: { steps: [{ answer: 'late', delay_ms: 60_000 }] } },
    };
    const first = [waiting, ...quick].map((plan) => services.know(plan, graderPlan(plan)));
    await services.bus.send(execution.prompt, jobOf([waiting, ...quick]), newId());
    const next = prompts(2, [{ answer: 'next' }]);
    const second = next.map((plan) => services.know(plan, graderPlan(plan)));
    await services.bus.send(execution.prompt, jobOf(next), newId());
    for (const assignment of [...first.slice(1), ...second]) await services.finished(assignment);
    expect(first[0]?.result).toBeUndefined();
    await services.cancel(waiting.run_id);
    await waitFor(() => first[0]?.result?.outcome === 'cancelled');
  });
});

function jobOf(plans: readonly AttemptPlan[]) {
  return { run_id: plans[0]?.run_id ?? '', attempt_ids: plans.map(({ attempt_id }) => attempt_id) };
}
