import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, createClient, type Run, routes } from '@agentclash/api';
import { loadCredentials, openLayout } from '@agentclash/local-stack';
import { sharedFolder, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product } from '../product.js';
import { HUMANEVAL_PACK, humanEvalAgents, humanEvalPack, readHumanEval } from './pack.js';

jest.setTimeout(1_800_000);

const data = path.join(sharedFolder(), 'data', 'humaneval.jsonl.gz');
const suite = existsSync(data) ? describe : describe.skip;

const SHARES = { all: 1, most: 0.8, half: 0.5, none: 0 };
const SEED = 17;

suite('four agents on HumanEval, raced with and without stop_when (needs AGENTCLASH_SHARED)', () => {
  let product: Product;
  let client: Client;
  let version: string;

  beforeAll(async () => {
    product = await Product.start();
    const tasks = readHumanEval(data);
    const [pack, agents] = ['humaneval.yaml', 'agents.yaml'].map((file) =>
      path.join(product.folder.path, file),
    ) as [string, string];
    writeFileSync(pack, humanEvalPack(tasks));
    writeFileSync(agents, humanEvalAgents(tasks, SHARES));
    await product.read('challenge-pack', 'publish', pack);
    await product.read('deployment', 'create', '-f', agents);
    const { adminToken: token } = await loadCredentials(await openLayout(product.folder.data), false);
    client = createClient({ baseUrl: product.state.url, workspace: 'default', token });
    const { versions } = await client.call(routes.packs.get, { params: { pack: HUMANEVAL_PACK } });
    version = versions[0]?.id ?? '';
  }, 300_000);
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  }, 300_000);

  const race = async (more: object) => {
    const body = { challenge_pack_version_id: version, deployment_names: Object.keys(SHARES), ...more };
    const { id: run_id } = await client.call(routes.runs.create, { body });
    const ended = async () => {
      const run = await client.call(routes.runs.get, { params: { run_id } });
      return run.finished_at === null ? undefined : run;
    };
    const run: Run = await waitFor(ended, { timeoutMs: 1_500_000 });
    const { items } = await client.call(routes.runs.agents, { params: { run_id } });
    return {
      run,
      passed: new Map(items.map(({ id, name, progress }) => [id, { name, passed: progress.passed }])),
    };
  };

  test('the stopped race has the verdict of the whole race for each pair, after fewer cases', async () => {
    const whole = await race({});
    const decided = { goal: 'ranking', metric: 'pass', alpha: 0.05, margin: 0 };
    const { run, passed } = await race({ stop_when: { decided }, seed: SEED });
    const order = new Map([...whole.passed.values()].map(({ name, passed: count }) => [name, count]));
    const pairs = (run.race?.pairs ?? []).map(({ a, b, verdict, cases, lower, upper }) => {
      const [first = '', second = ''] = [a, b].map((id) => passed.get(id)?.name);
      const isBetter = (order.get(first) ?? 0) > (order.get(second) ?? 0);
      return { first, second, verdict, cases, lower, upper, whole: isBetter ? 'better' : 'worse' };
    });
    const { total, skipped = 0 } = run.progress;
    console.info(JSON.stringify({ passed: [...order], pairs, attempts: total - skipped, total }, null, 2));
    expect(whole.run.progress).toMatchObject({ total: 656, graded: 656 });
    expect(Object.fromEntries(order)).toEqual({ all: 164, most: 132, half: 82, none: 0 });
    expect(pairs).toHaveLength(6);
    for (const pair of pairs) expect(pair).toMatchObject({ verdict: pair.whole });
    expect(run.stopped).toBe('decided');
    expect(skipped).toBeGreaterThan(total / 3);
  });
});
