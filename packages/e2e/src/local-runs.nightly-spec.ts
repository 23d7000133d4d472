import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository, StackFolder } from './product.js';
import { RACES, type Race } from './testing/example-races.js';
import { type ExampleServer, startExampleServer } from './testing/example-servers.js';
import { comparableResults, localResults, stackResults } from './testing/local-results.js';

jest.setTimeout(600_000);

const TOKEN = 'warehouse-demo-token';

/** Races of further example packs; the one with a judge needs a model. */
const FURTHER: Race[] = [
  { pack: 'small-python-tasks', agents: ['oracle', 'hasty', 'idle'], cases: 7 },
  { pack: 'cheats', agents: ['honest', 'always-equal', 'forge-report', 'shadow-modules'], cases: 1 },
];

describe('the example packs, run on a stack and in one process', () => {
  const folder = new StackFolder();
  let product: Product;
  let warehouse: ExampleServer;

  beforeAll(async () => {
    warehouse = await startExampleServer('inventory-server.mjs');
    product = await Product.start(folder);
    const binding = ['--host', `http://127.0.0.1:${warehouse.port}`];
    await product.run(['secret', 'set', 'INVENTORY_TOKEN', ...binding], { stdin: TOKEN });
  }, 300_000);
  afterAll(async () => {
    await warehouse?.stop();
    await product?.stop();
    folder.remove();
  }, 120_000);

  /** The files of pack and agents; the warehouse has another port, and an imported pack a folder of its own. */
  async function filesOf({ pack, imported }: Race): Promise<{ pack: string; agents: string }> {
    if (imported !== undefined) {
      const made = path.join(folder.path, pack);
      await product.read('import', imported, path.join(import.meta.dirname, 'imports', pack), '-o', made);
      return { pack: path.join(made, 'pack.yaml'), agents: path.join(made, 'deployments.yaml') };
    }
    const file = path.join(repository, 'examples/challenge-packs', `${pack}.yaml`);
    const agents = path.join(repository, 'examples/deployments', `${pack}.yaml`);
    if (pack !== 'inventory') return { pack: file, agents };
    const copy = path.join(folder.path, 'inventory.yaml');
    writeFileSync(copy, readFileSync(file, 'utf8').replaceAll(':8377', `:${warehouse.port}`));
    return { pack: copy, agents };
  }

  test.each([...RACES, ...FURTHER])(
    'the pack $pack has the same scorecards and ranking in both',
    async (race) => {
      const files = await filesOf(race);
      await product.read('challenge-pack', 'publish', files.pack);
      await product.read('deployment', 'create', '-f', files.agents);
      const { inputSet = 'default', agents } = race;
      const words = ['--pack', race.pack, '--input-set', inputSet, '--deployment', ...agents];
      const { id } = await product.read<{ id: string }>('eval', 'start', ...words);
      await product.run(['run', 'show', id, '--follow'], { timeoutMs: 280_000 });
      const secrets = race.pack === 'inventory' ? [`INVENTORY_TOKEN=${TOKEN}`] : [];
      const local = await localResults(folder, { race, ...files, secrets });
      const ofStack = comparableResults(await stackResults(product, id));
      expect(ofStack.cards).toHaveLength(agents.length * race.cases);
      expect(comparableResults(local)).toEqual(ofStack);
    },
  );
});
