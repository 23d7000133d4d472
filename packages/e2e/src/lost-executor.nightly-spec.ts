import { type Attempt, type Client, createClient, routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { attemptsOf } from './chaos/record.js';
import { Product, StackFolder } from './product.js';
import { stackProcesses } from './testing/processes.js';

/** Three leases of 45 s and the pauses between them. */
jest.setTimeout(600_000);
const SOON = { timeoutMs: 120_000, intervalMs: 100 };
/** Of an attempt, by the specification. */
const DELIVERIES = 3;

const PACK = {
  pack: { slug: 'fatal', name: 'Fatal', family: 'tests' },
  version: {
    number: 1,
    execution_mode: 'native',
    tool_policy: { allowed_tool_kinds: ['shell'], allow_shell: true },
    evaluation_spec: {
      name: 'fatal',
      version_number: 1,
      judge_mode: 'deterministic',
      validators: [{ key: 'done', type: 'contains', target: 'final_output', expected_from: 'literal:done' }],
      scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
    },
  },
  challenges: [{ key: 'task', title: 'Task', category: 'tests', difficulty: 'easy', instructions: 'Do it.' }],
  input_sets: [
    {
      key: 'default',
      name: 'Default',
      cases: ['fatal', 'harmless'].map((case_key) => ({ challenge_key: 'task', case_key })),
    },
  ],
};
const AGENT = {
  name: 'fatal',
  kind: 'scripted',
  config: {
    by_case: { fatal: [{ call: { name: 'exec', arguments: { command: ['sleep', '250'] } } }] },
    steps: [{ answer: 'done' }],
  },
} as const;

describe('an attempt that takes its executor down each time', () => {
  const folder = new StackFolder();
  let product: Product;
  let client: Client;

  beforeAll(async () => {
    product = await Product.start(folder, { STACK_PROCESSES: '2' });
    client = createClient({ baseUrl: product.state.url, token: await product.token(), timeoutMs: 60_000 });
  }, 120_000);
  afterAll(async () => {
    await product?.stop();
    folder.remove();
  }, 120_000);

  test('an attempt that kills its executor has three deliveries, ends as infra_error with the reason, and its run ends', async () => {
    const { challenge_pack_version_id } = await client.call(routes.packs.publish, {
      body: JSON.stringify(PACK),
    });
    const deployment = await client.call(routes.deployments.create, { body: AGENT as never });
    const { id } = await client.call(routes.runs.create, {
      body: { challenge_pack_version_id, deployment_ids: [deployment.id] },
    });
    for (let delivery = 1; delivery <= DELIVERIES; delivery += 1) {
      const second = await waitFor(async () => {
        const isAtWork = (await attempt(client, id, 'fatal')).state === 'running';
        const [, pid] = stackProcesses(product.state.pid);
        return isAtWork && (await attempt(client, id, 'fatal')).delivery === delivery && pid;
      }, SOON);
      process.kill(second, 'SIGKILL');
      await waitFor(() => !stackProcesses(product.state.pid).includes(second), SOON);
    }
    const run = await waitFor(async () => {
      const found = await client.call(routes.runs.get, { params: { run_id: id } });
      return found.status === 'completed' && found;
    }, SOON);
    expect(run.progress.by_outcome).toEqual({ completed: 1, infra_error: 1 });
    expect(await attempt(client, id, 'fatal')).toMatchObject({
      state: 'finished',
      delivery: DELIVERIES,
      outcome: 'infra_error',
      error: {
        code: 'worker_lost',
        message:
          'The executor of this delivery did not report back in time. It was the last of 3 deliveries.',
      },
    });
    expect(await attempt(client, id, 'harmless')).toMatchObject({ delivery: 1, outcome: 'completed' });
  });
});

async function attempt(client: Client, runId: string, caseKey: string): Promise<Attempt> {
  const all = await attemptsOf(client, runId);
  const found = all.find(({ case_key }) => case_key === caseKey);
  if (found === undefined) throw new Error(`there is no attempt of ${caseKey}`);
  return found;
}
