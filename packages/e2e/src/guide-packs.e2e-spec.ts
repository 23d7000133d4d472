import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, StackFolder } from './product.js';
import { GUIDE_RACES, type GuideRace } from './testing/guide-agents.js';
import { guidePacks, writePack } from './testing/guide-packs.js';

jest.setTimeout(240_000);

interface AttemptRow {
  agent_name: string;
  case_key: string;
  state: string;
  outcome: string;
  passed: boolean | null;
}

interface RankingRow {
  name: string;
  passed: boolean | null;
}

const PACKS = guidePacks();
const SLUGS = PACKS.map(({ slug }) => slug);

test('every whole pack of the documentation is raced', () => {
  expect(SLUGS.toSorted()).toEqual(Object.keys(GUIDE_RACES).toSorted());
});

/** The pack of ledgers with both in one archive. */
function inArchive(text: string): string {
  const months = ['march', 'april'];
  return months
    .reduce(
      (all, month) =>
        all
          .replace(`path: books/${month}.csv, media_type: text/csv`, 'path: books.tgz')
          .replace('artifact_key: ledger}', `artifact_key: ledger, path: books/${month}.csv}`),
      text,
    )
    .replace('slug: ledgers', 'slug: archived');
}

describe('the packs of the documentation, with honest and with cheating agents', () => {
  const folder = new StackFolder();
  const results = new Map<string, { attempts: AttemptRow[]; ranking: RankingRow[] }>();
  let product: Product;

  beforeAll(async () => {
    product = await Product.start(folder);
    const agents = Object.entries(GUIDE_RACES).flatMap(([slug, { honest, cheats }]) =>
      Object.entries({ ...honest, ...cheats }).map(([name, agent]) => ({
        name: `${slug}.${name}`,
        ...agent,
      })),
    );
    const file = path.join(folder.path, 'agents.json');
    writeFileSync(file, JSON.stringify({ deployments: agents }));
    await product.read('deployment', 'create', '-f', file);
    await Promise.all(
      PACKS.map(async (pack) => {
        await product.read('challenge-pack', 'publish', writePack(folder.path, pack));
        results.set(pack.slug, await raced(pack.slug));
      }),
    );
  }, 300_000);
  afterAll(async () => {
    await product?.stop();
    folder.remove();
  }, 120_000);

  async function raced(slug: string, pack = slug) {
    const { inputSet, honest, cheats } = raceOf(slug);
    const names = Object.keys({ ...honest, ...cheats }).map((name) => `${slug}.${name}`);
    const words = ['--pack', pack, '--input-set', inputSet, '--deployment', ...names];
    const { id } = await product.read<{ id: string }>('eval', 'start', ...words);
    await product.run(['run', 'show', id, '--follow'], { timeoutMs: 230_000 });
    const [attempts, ranking] = await Promise.all([
      product.read<{ items: AttemptRow[] }>('run', 'attempts', id),
      product.read<{ items: RankingRow[] }>('run', 'ranking', id),
    ]);
    return { attempts: attempts.items, ranking: ranking.items };
  }

  function raceOf(slug: string): GuideRace {
    const race = GUIDE_RACES[slug];
    if (race === undefined) throw new Error(`no agents for ${slug}`);
    return race;
  }

  /** Verdict, and how many cases were passed and graded. */
  function standing(slug: string, name: string, pack = slug) {
    const { attempts, ranking } = results.get(pack) ?? { attempts: [], ranking: [] };
    const own = attempts.filter(({ agent_name }) => agent_name === `${slug}.${name}`);
    return {
      verdict: ranking.find((row) => row.name === `${slug}.${name}`)?.passed,
      passed: own.filter(({ passed }) => passed === true).length,
      graded: own.filter(({ passed }) => passed !== null).length,
    };
  }

  const agentsOf = (side: 'honest' | 'cheats') =>
    Object.entries(GUIDE_RACES).flatMap(([slug, race]) =>
      Object.keys(race[side]).map((name): [string, string] => [slug, name]),
    );

  test.each(agentsOf('honest'))('honest work on the pack %s passes every case: %s', (slug, name) => {
    const { cases } = raceOf(slug);
    expect(standing(slug, name)).toEqual({ verdict: true, passed: cases, graded: cases });
  });

  test('honest work passes every case where the files of ledgers are in an archive of the pack', async () => {
    const ledgers = PACKS.find(({ slug }) => slug === 'ledgers');
    if (ledgers === undefined) throw new Error('the guide has no pack ledgers');
    const archived = writePack(folder.path, { ...ledgers, slug: 'archived', text: inArchive(ledgers.text) });
    execFileSync('tar', ['-czf', 'books.tgz', 'books'], { cwd: path.dirname(archived) });
    await product.read('challenge-pack', 'publish', archived);
    results.set('archived', await raced('ledgers', 'archived'));
    expect(standing('ledgers', 'adds', 'archived')).toEqual({ verdict: true, passed: 2, graded: 2 });
    for (const name of Object.keys(raceOf('ledgers').cheats)) {
      expect({ name, ...standing('ledgers', name, 'archived') }).toMatchObject({
        name,
        verdict: false,
        graded: 2,
      });
    }
  });

  test.each(agentsOf('cheats'))('dishonest work on the pack %s fails: %s', (slug, name) => {
    const { cases } = raceOf(slug);
    const { verdict, passed, graded } = standing(slug, name);
    expect({ verdict, graded }).toEqual({ verdict: false, graded: cases });
    expect(passed).toBeLessThan(cases);
  });
});
