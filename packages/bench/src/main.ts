// `pnpm bench [humaneval | packs | sandbox | scoring] [--data <file>] [--json]`: measured figures, as a table and as JSON.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '@agentclash/e2e';
import { benchHumanEval } from './humaneval.js';
import { benchPacks } from './packs.js';
import { type Figure, tableOf } from './report.js';
import { benchSandbox } from './sandbox.js';
import { benchScoring } from './scoring.js';

const shared = process.env.AGENTCLASH_SHARED ?? path.resolve(repository, '../shared');

const BENCHES: Record<string, (data?: string) => Promise<Figure[]>> = {
  humaneval: (data = path.join(shared, 'data/humaneval.jsonl.gz')) => benchHumanEval(path.resolve(data)),
  packs: () => benchPacks(),
  sandbox: () => benchSandbox(),
  scoring: () => benchScoring(),
};

try {
  const { values, positionals } = parseArgs({
    options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [name = 'humaneval'] = positionals;
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (bench === undefined) throw new Error(`There is ${Object.keys(BENCHES).join(', ')}; not ${name}.`);
  const figures = await bench(values.data);
  if (!values.json) console.log(tableOf(figures));
  console.log(
    JSON.stringify({ bench: name, figures: Object.fromEntries(figures.map((f) => [f.key, f.value])) }),
  );
} catch (error) {
  console.error(`error ${(error as Error).message}`);
  process.exitCode = 1;
}
