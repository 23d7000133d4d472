// `pnpm bench [set…] [options]`: measured figures, as a table and as JSON; `--help` lists them.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { repository, stopStacksOnSignal } from '@agentclash/e2e';
import { benchApiLoad } from './api-load/api-load.js';
import { benchAttempts } from './attempts/attempts.js';
import { benchAudit } from './audit.js';
import { benchBroker } from './broker/broker.js';
import { benchCases } from './cases.js';
import {
  type CommandLine,
  checkWritable,
  readCommandLine,
  type SetOptions,
  usageOf,
} from './command-line.js';
import { benchEvents } from './events/events.js';
import { benchHumanEval } from './humaneval.js';
import { benchInstall } from './install.js';
import { benchLocalRun } from './local-run.js';
import { documentOf, type Figure, tableOf } from './measurement/report.js';
import { benchMemory } from './memory/growth.js';
import { benchPacks } from './packs.js';
import { benchPromptfoo } from './promptfoo/compare.js';
import { benchReads } from './reads/reads.js';
import { benchCreation } from './runs/creation.js';
import { benchSandbox } from './sandbox/sandbox.js';
import { benchScoring } from './scoring.js';
import { benchTenants } from './tenants.js';
import { benchWeb } from './web/web.js';

const BENCHES: Record<string, (options: SetOptions) => Promise<Figure[]>> = {
  creation: benchCreation,
  'api-load': benchApiLoad,
  attempts: benchAttempts,
  audit: benchAudit,
  broker: benchBroker,
  events: benchEvents,
  reads: benchReads,
  web: benchWeb,
  memory: benchMemory,
  tenants: benchTenants,
  run: benchLocalRun,
  install: benchInstall,
  promptfoo: benchPromptfoo,
  humaneval: benchHumanEval,
  packs: benchPacks,
  cases: benchCases,
  sandbox: benchSandbox,
  scoring: benchScoring,
};

const shared = process.env.AGENTCLASH_SHARED ?? path.resolve(repository, '../shared');

stopStacksOnSignal();

try {
  const known = { sets: Object.keys(BENCHES), data: path.join(shared, 'data/humaneval.jsonl.gz') };
  const line = readCommandLine(process.argv.slice(2), known);
  if (line.isHelp) console.log(usageOf(known.sets));
  else await measure(line);
} catch (error) {
  fail(error);
}

async function measure({ names, options, json }: CommandLine): Promise<void> {
  if (json !== undefined) checkWritable(json);
  console.log(`Node.js ${process.version}, ${availableParallelism()} cores`);
  const results: Record<string, Figure[]> = {};
  for (const name of names) {
    console.log(`\n${name}`);
    try {
      results[name] = (await BENCHES[name]?.(options)) ?? [];
      console.log(tableOf(results[name], options));
    } catch (error) {
      // A set that lacks something, such as data or the network, does not cost another its figures.
      fail(error);
    }
    // After each, so that a long run that is stopped has left what it measured.
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(documentOf(results, options), null, 2)}\n`);
  }
}

function fail(error: unknown): void {
  console.error(`error ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
