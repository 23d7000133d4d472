import type { SandboxProvider, SandboxSession } from '@agentclash/sandbox';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

/** The arena's sandboxes, and the first that is made. */
function observed(): { sandboxes: SandboxProvider; first: Promise<SandboxSession> } {
  let found: (session: SandboxSession) => void;
  const first = new Promise<SandboxSession>((resolve) => {
    found = resolve;
  });
  const create: SandboxProvider['create'] = async (...order) => {
    const session = await harness.sandboxes.create(...order);
    found(session);
    return session;
  };
  return { sandboxes: Object.assign(Object.create(harness.sandboxes), { create }), first };
}

test('an agent whose sandbox dies after its last work is no completed one without a workspace: it is tried again', async () => {
  const plan = attemptPlan({
    kind: 'scripted',
    config: {
      steps: [
        { call: { name: 'write_file', arguments: { path: 'out.txt', content: 'done' } } },
        { answer: 'done', delay_ms: 1_500 },
      ],
    },
  });
  const { sandboxes, first } = observed();
  const running = harness.run(plan, { sandboxes });
  const session = await first;
  await waitFor(() => session.stat('out.txt'));
  await session.destroy();

  const { result } = await running;
  expect(result).toMatchObject({
    outcome: 'infra_error',
    error: { code: 'sandbox_destroyed', retryable: true },
    snapshot: null,
  });
});
