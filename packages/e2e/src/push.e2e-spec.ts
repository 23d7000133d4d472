import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository } from './product.js';

jest.setTimeout(240_000);

const PACK = path.join(repository, 'examples/challenge-packs/capital-cities.yaml');
const AGENTS = path.join(repository, 'examples/deployments/capital-cities.yaml');

interface Pushed {
  run: { id: string; status: string; imported?: object; labels: object };
  accepted: number;
  repeated: number;
}
interface Compared {
  comparisons: { comparable: boolean; overall: object; pass: object; dimensions: object }[];
}

describe('files of results on a server', () => {
  let product: Product;
  let files: { before: string; after: string };

  beforeAll(async () => {
    product = await Product.start();
    const file = (name: string) => path.join(product.folder.path, name);
    files = { before: file('before.clash'), after: file('after.clash') };
    for (const output of Object.values(files)) await run(PACK, output);
  }, 120_000);
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  });

  const run = (pack: string, output: string) => product.run(['run', pack, '--agents', AGENTS, '-o', output]);

  test('a file of a version that is not published is refused, with the command that publishes it', async () => {
    const refused = await product.run(['push', files.before]);
    expect(refused.code).toBe(66);
    expect(refused.stderr).toContain('challenge-pack publish');
  });

  test('a pushed run is marked, has the scores of the file, and is the same when it is pushed again', async () => {
    await product.read('challenge-pack', 'publish', PACK);
    const pushed = await product.read<Pushed>('push', files.before);
    expect(pushed).toMatchObject({ accepted: 10, repeated: 0 });
    expect(pushed.run).toMatchObject({ status: 'completed', imported: {}, labels: { recorded: 'local' } });
    const again = await product.read<Pushed>('push', files.before);
    expect(again).toMatchObject({ accepted: 0, repeated: 10, run: { id: pushed.run.id } });
    const scores = async (reference: string) => {
      const { items } = await product.read<{ items: { name: string; overall: number; rank: number }[] }>(
        ...['run', 'ranking', reference],
      );
      return items.map(({ name, overall, rank }) => ({ name, overall, rank }));
    };
    expect(await scores(pushed.run.id)).toEqual(await scores(files.before));
  });

  test('two pushed runs are compared with the same statistics as their files', async () => {
    const [before, after] = [
      await product.read<Pushed>('push', files.before),
      await product.read<Pushed>('push', files.after),
    ];
    expect(after.run.id).not.toBe(before.run.id);
    const lanes = ['--baseline-agent', 'concise', '--candidate-agent', 'chatty'];
    const figures = ({ comparisons }: Compared) =>
      comparisons.map(({ comparable, overall, pass, dimensions }) => ({
        comparable,
        overall,
        pass,
        dimensions,
      }));
    const ofRuns = await product.read<Compared>('compare', before.run.id, after.run.id, ...lanes);
    const ofFiles = await product.read<Compared>('compare', files.before, files.after, ...lanes);
    expect(figures(ofFiles)).toEqual(figures(ofRuns));
    expect(ofFiles.comparisons).toMatchObject([{ comparable: true }]);
  });

  test('a file of other content under the same version is refused by its digest', async () => {
    const changed = path.join(product.folder.path, 'changed.yaml');
    writeFileSync(changed, readFileSync(PACK, 'utf8').replaceAll('Peru', 'the Republic of Peru'));
    const output = path.join(product.folder.path, 'changed.clash');
    await run(changed, output);
    const refused = await product.run(['push', output]);
    expect(refused).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('is of other content'),
    });
  });
});
