import { executors } from '@agentclash/contracts';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attemptPlan, graderPlan } from '../../testing/assignments.js';
import { FakeServices } from '../../testing/fake-services.js';
import { Leases } from './leases.loop.js';

let services: FakeServices;
// Jest runs these hooks in the order of their calls: clients close before their servers.
afterAll(async () => {
  await services?.close();
});
const nats = await freshNats();

beforeAll(async () => {
  services = await FakeServices.open(nats.url);
});

test('the shutdown of the leases awaits a renewal under way and applies its result', async () => {
  const plan = attemptPlan({ kind: 'scripted', config: { steps: [] } });
  const assignment = services.know(plan, graderPlan(plan));
  const warnings: unknown[][] = [];
  const logger = { warn: (...line: unknown[]) => void warnings.push(line) };
  const leases = new Leases(services.bus, { executorId: 'e' }, logger);
  await leases.onApplicationBootstrap();
  const { attempt_id, delivery } = plan;
  const work = new AbortController();
  const lease = leases.hold({ attempt_id, delivery, executor_id: 'e' }, work);

  const reply = services.holdRenewals();
  lease.reach('running');
  await waitFor(() => assignment.stages.length > 0);
  const order: string[] = [];
  const shutdown = leases.onApplicationShutdown().then(() => order.push('stopped'));
  // A whole request passes while the reply is held.
  await services.bus.call(executors.renew, { executor_id: 'e' });
  order.push('replied');
  reply();
  await shutdown;
  expect(order).toEqual(['replied', 'stopped']);
  expect({ stages: assignment.stages, isAborted: work.signal.aborted, warnings }).toEqual({
    stages: ['running'],
    isAborted: false,
    warnings: [],
  });
});
