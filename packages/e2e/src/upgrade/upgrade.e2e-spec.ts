import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Client, createClient, routes } from '@agentclash/api';
import { loadCredentials, openLayout } from '@agentclash/local-stack';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository, StackFolder } from '../product.js';
import { type RecordedInstallation, readInstallation } from './installation.js';
import { restoreInstallation } from './restore.js';

jest.setTimeout(240_000);

const FIXTURES = path.join(repository, 'packages/e2e/fixtures');
const INSTALLATIONS = readdirSync(FIXTURES).filter((name) => /^installation-.+\.json\.gz$/.test(name));

describe.each(INSTALLATIONS)('an upgrade from %s', (name) => {
  const folder = new StackFolder();
  let recorded: RecordedInstallation;
  let product: Product;
  let token: string;
  let client: Client;

  beforeAll(async () => {
    recorded = readInstallation(path.join(FIXTURES, name));
    await restoreInstallation(folder, recorded);
    product = await Product.start(folder);
    token = (await loadCredentials(await openLayout(folder.data), false)).adminToken;
    client = createClient({ baseUrl: product.state.url, token });
  });
  afterAll(async () => {
    await product?.stop();
    folder.remove();
  });

  const read = async (at: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${product.state.url}/v1/workspaces/default${at}`, { headers });
    return response.ok ? await response.json() : `status ${response.status}`;
  };
  const runNamed = async (wanted: string) => {
    const { items } = await client.call(routes.runs.list, { query: { limit: 200 } });
    const found = items.find((run) => run.name === wanted);
    if (found === undefined) throw new Error(`there is no run ${wanted}`);
    return found;
  };

  test('every pack, run, attempt, score, event and setting reads as before, with optional members more', async () => {
    const paths = Object.keys(recorded.responses);
    expect(paths.length).toBeGreaterThan(100);
    const now = Object.fromEntries(await Promise.all(paths.map(async (at) => [at, await read(at)] as const)));
    expect(now).toMatchObject(recorded.responses as Record<string, object>);
  });

  test('the runs of before have numbers in their order', async () => {
    const { items } = await client.call(routes.runs.list, { query: { limit: 200 } });
    const numbers = items.map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => items.length - index));
  });

  test('publishing a pack of before again changes nothing', async () => {
    const { items } = await client.call(routes.packs.list, { query: { q: 'capital-cities' } });
    const version_id = items[0]?.versions[0]?.id ?? '';
    const bundle = await client.call(routes.versions.bundle, { params: { version_id } });
    const published = await client.call(routes.packs.publish, { body: await bundle.text() });
    expect(published).toMatchObject({ created: false, challenge_pack_version_id: version_id });
  });

  test('a run of before is scored again with the same scores', async () => {
    const { id } = await runNamed('first');
    const before = await read(`/runs/${id}/ranking`);
    await product.read('run', 'rescore', id);
    expect(await read(`/runs/${id}/ranking`)).toMatchObject({
      items: (before as { items: { name: string; overall: number; rank: number }[] }).items.map(
        ({ name: agent, overall, rank }) => ({ name: agent, overall, rank }),
      ),
    });
  });

  test('a deployment of before races on a version of before, and the gate compares it with the baseline of before', async () => {
    const words = ['--pack', 'capital-cities', '--deployment', 'concise', '--name', 'after', '--follow'];
    expect(await product.run(['run', 'start', ...words])).toMatchObject({ code: 0 });
    const after = await runNamed('after');
    expect(after).toMatchObject({ status: 'completed', progress: { total: 5, passed: 5 } });
    const body = { baseline: 'release', candidate_run_id: after.id };
    const decision = await client.call(routes.gates.evaluate, { body });
    expect(decision.baseline_run_id).toBe((await runNamed('first')).id);
    expect(decision.verdict).not.toBe('fail');
  });

  test('secrets of before are opened by the keys of before', async () => {
    const rotated = await product.read<{ active_key_id: string; problem: string | null; keys: object[] }>(
      ...['admin', 'rotate-keys'],
    );
    expect(rotated.problem).toBeNull();
    expect(rotated.keys).toContainEqual(expect.objectContaining({ id: rotated.active_key_id, secrets: 1 }));
    const { items } = await client.call(routes.secrets.list, {});
    expect(items.map(({ key }) => key)).toEqual(['PARTNER_KEY']);
  });
});
