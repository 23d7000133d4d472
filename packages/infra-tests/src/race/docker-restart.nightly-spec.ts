import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Product, StackFolder } from '@agentclash/e2e';
import { PrivateEngine, withoutDocker } from '@agentclash/sandbox/fixtures/docker';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

jest.setTimeout(600_000);
const SOON = { timeoutMs: 300_000, intervalMs: 500 };

const PACK = `
pack: {slug: long, name: Long, family: tests}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [shell], allow_shell: true}
  evaluation_spec:
    name: long
    version_number: 1
    judge_mode: deterministic
    validators: [{key: done, type: contains, target: final_output, expected_from: "literal:done"}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges: [{key: task, title: Task, category: tests, difficulty: easy, instructions: Do it.}]
input_sets:
  - {key: default, name: Default, cases: [{challenge_key: task, case_key: one}, {challenge_key: task, case_key: two}]}
`;
/** Longer than a daemon that is stopped leaves its containers to end by themselves. */
const COMMAND = ['sleep', '25'];
const AGENT = {
  name: 'slow',
  kind: 'scripted',
  config: { steps: [{ call: { name: 'exec', arguments: { command: COMMAND } } }, { answer: 'done' }] },
};

interface Attempt {
  state: string;
  outcome: string | null;
  delivery: number;
  error?: { code: string; message?: string } | null;
}

interface Recorded {
  event_type: string;
  payload: { error?: { message?: string } };
}

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`a race whose Docker daemon is stopped and started again: ${reason}`, () => {});
} else {
  describe('a race whose Docker daemon is stopped and started again', () => {
    const docker = new PrivateEngine();
    const folder = new StackFolder();
    let product: Product | undefined;

    beforeAll(async () => {
      await docker.start();
      const image = await docker.importImage();
      const settings = { SANDBOX_PROVIDER: 'docker', DOCKER_HOST: docker.address.url, SANDBOX_IMAGE: image };
      product = await Product.start(folder, settings);
      for (const [name, text, ...words] of [
        ['pack.yaml', PACK, 'challenge-pack', 'publish'],
        ['agent.yaml', JSON.stringify({ deployments: [AGENT] }), 'deployment', 'create', '-f'],
      ] as const) {
        const file = path.join(folder.path, name);
        writeFileSync(file, text);
        await product.read(...words, file);
      }
    });
    afterAll(async () => {
      await product?.stop();
      await docker.remove();
      folder.remove();
    });

    async function attempts(): Promise<Attempt[]> {
      return (await product?.read<{ items: Attempt[] }>('run', 'attempts', 'last'))?.items ?? [];
    }

    async function startRace(): Promise<void> {
      await product?.read('eval', 'start', '--pack', 'long', '--deployment', AGENT.name);
    }

    const ended = () =>
      waitFor(async () => {
        const all = await attempts();
        return all.length === 2 && all.every(({ state }) => state === 'finished') && all;
      }, SOON);

    test.each(['SIGTERM', 'SIGKILL'] as const)(
      'after %s its attempts are completed by another try, or end as infra_error that names the daemon; the next race is whole, and nothing is left',
      async (signal) => {
        await startRace();
        await waitFor(async () => (await attempts()).some(({ state }) => state === 'running'), SOON);
        await waitFor(async () => (await docker.containers()).length > 0, SOON);
        await docker.stop(signal);
        await docker.start();
        for (const { outcome, error } of await ended()) {
          if (outcome === 'completed') continue;
          expect({ outcome, error }).toMatchObject({
            outcome: 'infra_error',
            error: { message: expect.stringContaining('Docker daemon') },
          });
        }
        const events = ((await product?.run(['run', 'export', 'last']))?.stdout ?? '')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Recorded);
        const failures = events.filter(({ event_type }) => event_type === 'system.run.failed');
        expect(failures.length).toBeGreaterThan(0);
        for (const { payload } of failures) expect(payload.error?.message).toContain('Docker daemon');

        await startRace();
        expect(await ended()).toMatchObject([
          { outcome: 'completed', delivery: 1 },
          { outcome: 'completed', delivery: 1 },
        ]);
      },
    );

    test('once the product has ended, the daemon has no container, volume, mount or cgroup of a sandbox', async () => {
      await product?.stop();
      product = undefined;
      await docker.expectNothingLeft();
      expect(docker.remains()).toEqual([]);
    });
  });
}
