import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository } from './product.js';

jest.setTimeout(240_000);

const PACK = path.join(repository, 'examples/challenge-packs/capital-cities.yaml');
const DEPLOYMENTS = path.join(repository, 'examples/deployments/capital-cities.yaml');
const POLICY = `
name: release
comparisons:
  obedience: {max_regression: {warn: 0.05, fail: 0.2}}
`;

interface Run {
  id: string;
}

describe('releases', () => {
  let product: Product;
  let accepted: string;
  let worse: string;

  beforeAll(async () => {
    product = await Product.start();
    await product.read('challenge-pack', 'publish', PACK);
    await product.read('deployment', 'create', '-f', DEPLOYMENTS);
    accepted = await race('concise');
    worse = await race('chatty');
  });
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  });

  async function race(...deployments: string[]): Promise<string> {
    const words = ['eval', 'start', '--pack', 'capital-cities', '--deployment', ...deployments];
    const { id } = await product.read<Run>(...words);
    await product.run(['run', 'show', id, '--follow'], { timeoutMs: 120_000 });
    return id;
  }

  test('a gate without a baseline prints how to set one', async () => {
    const { code, stderr } = await product.run(['gate', worse]);
    expect(code).toBe(66);
    expect(stderr).toContain('agentclash baseline set');
  });

  test('a run that lost more than the policy allows is stopped, with reports for CI', async () => {
    const policy = path.join(product.folder.path, 'policy.yaml');
    const [junit, markdown] = ['gate.xml', 'gate.md'].map((name) => path.join(product.folder.path, name));
    writeFileSync(policy, POLICY);
    expect(await product.read('gate-policy', 'create', '-f', policy)).toMatchObject({
      items: [{ name: 'release', applied: 'created' }],
    });
    expect((await product.run(['baseline', 'set', accepted])).stdout).toMatch(/is run #\d+/);
    const words = [
      'gate',
      worse,
      '--policy',
      'release',
      '--junit',
      junit ?? '',
      '--markdown',
      markdown ?? '',
    ];
    const { code, stdout } = await product.run(words);
    expect({ code, stdout }).toMatchObject({ code: 1 });
    expect(stdout).toContain('obedience: lost more than the policy lets pass');
    expect(readFileSync(junit ?? '', 'utf8')).toContain('<failure type="regression_fail:obedience"');
    expect(readFileSync(markdown ?? '', 'utf8')).toContain('Gate: fail');
  });

  test('a gate whose output has no reader has the same exit code, and writes its report', async () => {
    const junit = path.join(product.folder.path, 'unread.xml');
    const words = ['gate', worse, '--policy', 'release', '--junit', junit];
    expect(await product.run(words, { isUnread: true })).toMatchObject({ code: 1 });
    expect(readFileSync(junit, 'utf8')).toContain('</testsuites>');
  });

  test('the same agent again is let through, and its scorecard shows ranking, comparison and gate in one view', async () => {
    const again = await race('concise');
    const { code, stdout } = await product.run(['gate', again, '--policy', 'release']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const view = await product.run(['eval', 'scorecard', worse, '--policy', 'release']);
    expect(view.stdout).toMatch(/gate +fail/);
    expect(view.stdout).toMatch(/obedience +1\.000/);
  });

  test('failures that occur again in another run are shown with it', async () => {
    interface Failures {
      items: { cluster_key: string; case_key: string; code: string; runs: number }[];
    }
    const first = await product.read<Failures>('run', 'failures', worse);
    expect(first.items).toContainEqual(expect.objectContaining({ code: 'agent.output_incorrect', runs: 1 }));
    const again = await product.read<Failures>('run', 'failures', await race('chatty'));
    const keys = ({ items }: Failures) => items.map(({ cluster_key: key }) => key).sort();
    expect(keys(again)).toEqual(keys(first));
    expect(again.items.every(({ runs }) => runs === 2)).toBe(true);
    expect((await product.run(['run', 'failures', accepted])).stdout).toContain('Every attempt passed.');
  });

  test('a run scored again has a next revision with the same ranking', async () => {
    interface Ranking {
      revision: number;
      items: object[];
    }
    const before = await product.read<Ranking>('run', 'ranking', accepted);
    const after = await product.read<Ranking>('run', 'rescore', accepted);
    expect(after).toMatchObject({ revision: before.revision + 1, items: before.items });
  });

  test('a gate of two agents needs no name of one: each is compared with its namesake', async () => {
    const both = await race('concise', 'chatty');
    await product.read('baseline', 'set', both, '--name', 'both');
    const words = ['gate', await race('concise', 'chatty'), '--policy', 'release', '--baseline', 'both'];
    const { code, stdout } = await product.run(words);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain('concise: nothing was lost beyond the policy');
    expect(stdout).toContain('chatty: nothing was lost beyond the policy');
  });
});
