// `pnpm bench [name…] [--quick] [--attempts n] [--only key,key] [--data file] [--json file]`: measured figures, as a
// table and as JSON. Without a name, all of them.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '@agentclash/e2e';
import { benchApiLoad } from './api-load/api-load.js';
import { benchAttempts } from './attempts/attempts.js';
import { benchEvents } from './events/events.js';
import { benchHumanEval } from './humaneval.js';
import { benchMemory } from './memory/growth.js';
import { benchPacks } from './packs.js';
import { benchPromptfoo } from './promptfoo/compare.js';
import { benchReads } from './reads/reads.js';
import { documentOf, type Figure, tableOf } from './report.js';
import { benchCreation } from './runs/creation.js';
import { benchSandbox } from './sandbox.js';
import { benchScoring } from './scoring.js';
import { BenchStack } from './stack/bench-stack.js';
import type { Volume } from './volume.js';
import { benchWeb } from './web/web.js';

interface Options extends Volume {
  /** The HumanEval data set. */
  data: string;
  only?: readonly string[] | undefined;
}

const BENCHES: Record<string, (options: Options) => Promise<Figure[]>> = {
  creation: benchCreation,
  'api-load': benchApiLoad,
  attempts: benchAttempts,
  events: benchEvents,
  reads: benchReads,
  web: benchWeb,
  memory: benchMemory,
  promptfoo: benchPromptfoo,
  humaneval: benchHumanEval,
  packs: benchPacks,
  sandbox: benchSandbox,
  scoring: benchScoring,
};

const shared = process.env.AGENTCLASH_SHARED ?? path.resolve(repository, '../shared');

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void BenchStack.stopAll().finally(() => process.exit(1)));
}

try {
  const { values, positionals } = parseArgs({
    options: {
      data: { type: 'string', default: path.join(shared, 'data/humaneval.jsonl.gz') },
      attempts: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
    },
    allowPositionals: true,
  });
  const names = positionals.length === 0 ? Object.keys(BENCHES) : positionals;
  const options: Options = {
    data: path.resolve(values.data),
    attempts: values.attempts === undefined ? undefined : positive(values.attempts, '--attempts'),
    only: values.only?.split(','),
    isQuick: values.quick,
  };
  const chosen = names.map((name) => {
    const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
    if (bench === undefined) throw new Error(`There is ${Object.keys(BENCHES).join(', ')}; not ${name}.`);
    return { name, bench };
  });
  console.log(`Node.js ${process.version}, ${availableParallelism()} cores`);
  const results: Record<string, Figure[]> = {};
  for (const { name, bench } of chosen) {
    console.log(`\n${name}`);
    try {
      results[name] = await bench(options);
      console.log(tableOf(results[name]));
    } catch (error) {
      // What one set lacks, such as data or the network, costs no other its figures.
      fail(error);
    }
    // After each, so that a long run that is stopped has left what it measured.
    if (values.json !== undefined)
      writeFileSync(values.json, `${JSON.stringify(documentOf(results), null, 2)}\n`);
  }
} catch (error) {
  fail(error);
}

function fail(error: unknown): void {
  console.error(`error ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

function positive(text: string, flag: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${flag} must be a positive integer, not ${text}.`);
  return number;
}
