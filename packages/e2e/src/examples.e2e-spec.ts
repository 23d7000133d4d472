import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository, StackFolder } from './product.js';
import { RACES, type Race } from './testing/example-races.js';
import { type ExampleServer, startExampleServer } from './testing/example-servers.js';
import { comparableResults, localResults, stackResults } from './testing/local-results.js';
import { processesAbout, sandboxesBelow } from './testing/processes.js';
import { historyProblems, type Recorded, readRecorded } from './testing/recorded.js';

jest.setTimeout(180_000);

const example = (...names: string[]) => path.join(repository, 'examples', ...names);

/** `local-runs.nightly-spec.ts` compares all of them. */
const LOCALLY = ['capital-cities', 'fix-the-tests'];

interface AttemptRow {
  id: string;
  agent_name: string;
  case_key: string;
  state: string;
  outcome: string | null;
  passed: boolean | null;
}

interface RankingRow {
  name: string;
  security?: { incidents: { kind: string; name: string }[] } | null;
}

interface Scored {
  attempt: { agent_name: string };
  reply: {
    scorecard: {
      dimensions: { key: string; score: number | null }[];
      validators: { key: string; detail?: string }[];
    };
  };
}

interface Result {
  id: string;
  warnings: unknown[];
  attempts: AttemptRow[];
  ranking: RankingRow[];
  events: Recorded[];
}

describe('the example packs, raced by their example agents', () => {
  const folder = new StackFolder();
  const results = new Map<string, Result>();
  let product: Product;
  let warehouse: ExampleServer;

  /** A copy of an example in which a server has another port. */
  function withPort(file: string, port: { from: number; to: number }): string {
    const copy = path.join(folder.path, path.basename(file));
    writeFileSync(copy, readFileSync(file, 'utf8').replaceAll(`:${port.from}`, `:${port.to}`));
    return copy;
  }

  beforeAll(async () => {
    warehouse = await startExampleServer('inventory-server.mjs');
    product = await Product.start(folder);
    const binding = ['--host', `http://127.0.0.1:${warehouse.port}`];
    await product.run(['secret', 'set', 'INVENTORY_TOKEN', ...binding], { stdin: 'warehouse-demo-token' });
    const inventory = withPort(example('challenge-packs', 'inventory.yaml'), {
      from: 8377,
      to: warehouse.port,
    });
    const fileOf = (pack: string) =>
      pack === 'inventory' ? inventory : example('challenge-packs', `${pack}.yaml`);
    await Promise.all(
      RACES.map(async (race) => {
        const from = race.imported && (await importedFolder(race.imported, race.pack));
        await product.read(
          'challenge-pack',
          'publish',
          from ? path.join(from, 'pack.yaml') : fileOf(race.pack),
        );
        const deployments = from
          ? path.join(from, 'deployments.yaml')
          : example('deployments', `${race.pack}.yaml`);
        await product.read('deployment', 'create', '-f', deployments);
        results.set(race.pack, await raced(race));
      }),
    );
  }, 240_000);
  afterAll(async () => {
    await warehouse?.stop();
    await product?.stop();
    folder.remove();
  }, 120_000);

  /** The folder of a pack that is imported from the fixtures. */
  async function importedFolder(kind: string, name: string): Promise<string> {
    const pack = path.join(folder.path, name);
    await product.read('import', kind, path.join(import.meta.dirname, 'imports', name), '-o', pack);
    return pack;
  }

  /** Runs the race to its end and reads what it left. */
  async function raced({ pack, inputSet = 'default', agents, isLineup }: Race): Promise<Result> {
    const named = isLineup ? [] : ['--deployment', ...agents];
    const words = ['--pack', pack, '--input-set', inputSet, ...named];
    const run = await product.read<{ id: string; warnings: unknown[] }>('eval', 'start', ...words);
    const { id, warnings } = run;
    await product.run(['run', 'show', id, '--follow'], { timeoutMs: 170_000 });
    const [attempts, ranking, exported] = await Promise.all([
      product.read<{ items: AttemptRow[] }>('run', 'attempts', id),
      product.read<{ items: RankingRow[] }>('run', 'ranking', id),
      product.run(['run', 'export', id]),
    ]);
    const events = readRecorded(exported.stdout);
    return { id, warnings, attempts: attempts.items, ranking: ranking.items, events };
  }

  function resultOf(pack: string): Result {
    const result = results.get(pack);
    if (result === undefined) throw new Error(`the race of ${pack} has no result`);
    return result;
  }

  test.each(RACES)(
    'the oracle of the pack $pack passes every case and wins, and the other agents fail',
    (race) => {
      const [oracle, ...others] = race.agents;
      const { attempts, ranking } = resultOf(race.pack);
      expect(attempts).toHaveLength(race.agents.length * race.cases);
      expect(attempts.filter(({ state }) => state !== 'finished')).toEqual([]);
      const passedBy = (agent: string) =>
        attempts.filter(({ agent_name, passed }) => agent_name === agent && passed).length;
      expect({ oracle, passed: passedBy(oracle) }).toEqual({ oracle, passed: race.cases });
      const all = others.filter((other) => passedBy(other) === race.cases);
      expect({ all }).toEqual({ all: [] });
      expect(ranking[0]?.name).toBe(oracle);
    },
  );

  test.each(RACES)(
    'an installation that has just started runs the pack $pack without a warning',
    ({ pack }) => {
      expect(resultOf(pack).warnings).toEqual([]);
    },
  );

  test.each(RACES)(
    'every history of the pack $pack is without gaps, and all started activities have ended once',
    ({ pack }) => {
      const { events } = resultOf(pack);
      expect(events.map(({ position }) => position)).toEqual(events.map((_event, index) => index + 1));
      expect(historyProblems(events)).toEqual([]);
    },
  );

  test.each(RACES)('the history of every attempt of the pack $pack ends with its scoring', ({ pack }) => {
    const { events, attempts } = resultOf(pack);
    for (const { id } of attempts) {
      const history = events.filter(
        ({ attempt_id, delivery }) => attempt_id === id && delivery !== undefined,
      );
      expect(history.at(-1)?.event_type).toBe('scoring.completed');
    }
  });

  test.each(RACES)('an attempt of the pack $pack is read as a transcript', async ({ pack }) => {
    const [attempt] = resultOf(pack).attempts;
    const { code, stdout } = await product.run(['replay', attempt?.id ?? '']);
    expect(code).toBe(0);
    expect(stdout).toContain(attempt?.agent_name);
    expect(stdout).toMatch(/agent {2}scripted in \w+/);
    expect(stdout).toContain('final output');
    expect(stdout).not.toMatch(/^\s*\{"/m);
  });

  test.each(RACES.filter(({ pack }) => LOCALLY.includes(pack)))(
    'the pack $pack has the same scorecards and ranking when it is run in one process',
    async (race) => {
      const local = await localResults(folder, {
        race,
        pack: example('challenge-packs', `${race.pack}.yaml`),
        agents: example('deployments', `${race.pack}.yaml`),
      });
      const ofStack = comparableResults(await stackResults(product, resultOf(race.pack).id));
      expect(ofStack.cards).toHaveLength(race.agents.length * race.cases);
      expect(comparableResults(local)).toEqual(ofStack);
    },
  );

  test('the metrics of a report are dimensions of the scorecard, and the words of a script are stored', async () => {
    const { id } = resultOf('graders-in-code');
    const { scorecards } = await product.read<{ scorecards: Scored[] }>('eval', 'scorecard', id, '--all');
    const scored = scorecards.map(({ attempt, reply }) => {
      const { dimensions, validators } = reply.scorecard;
      const scores = dimensions.map(({ key, score }) => `${key} ${score}`).join(', ');
      return [attempt.agent_name, scores, validators.find(({ key }) => key === 'sentence')?.detail];
    });
    expect(scored.sort()).toEqual([
      ['orders-forger', 'correctness 0, totals 0, customers 0, manner 1', 'the output is as required'],
      [
        'orders-idle',
        'correctness 0, totals 0, customers 0, manner 0',
        'the output breaks the rules: states the total, is one sentence',
      ],
      ['orders-oracle', 'correctness 1, totals 1, customers 1, manner 1', 'the output is as required'],
    ]);
  });

  test('agents that leak, by output or by request, are distinguished from agents that do nothing', () => {
    const { attempts, ranking } = resultOf('keep-the-secret');
    const outcomes = Object.fromEntries(attempts.map(({ agent_name, outcome }) => [agent_name, outcome]));
    expect(outcomes).toEqual({
      guard: 'completed',
      blabber: 'completed',
      smuggler: 'policy_violation',
      sleeper: 'completed',
    });
    const leaks = ranking.map(({ name, security }) => [
      name,
      (security?.incidents ?? [])
        .filter(({ kind }) => kind === 'planted_secret_leaked')
        .map((incident) => incident.name),
    ]);
    expect(Object.fromEntries(leaks)).toEqual({
      guard: [],
      blabber: ['backup_key'],
      smuggler: ['backup_key'],
      sleeper: [],
    });
  });

  test('no sandbox outlives its attempt, and no process the stack', async () => {
    expect(sandboxesBelow(product.state.pid)).toEqual([]);
    expect((await product.stop()).code).toBe(0);
    expect(processesAbout(folder.path)).toEqual([]);
  });
});
