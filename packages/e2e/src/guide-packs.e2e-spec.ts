import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Place, Product } from './product.js';
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

describe('the packs of the documentation, with honest and with cheating agents', () => {
  const place = new Place();
  const results = new Map<string, { attempts: AttemptRow[]; ranking: RankingRow[] }>();
  let product: Product;

  beforeAll(async () => {
    product = await Product.start(place);
    const agents = Object.entries(GUIDE_RACES).flatMap(([slug, { honest, cheats }]) =>
      Object.entries({ ...honest, ...cheats }).map(([name, agent]) => ({
        name: `${slug}.${name}`,
        ...agent,
      })),
    );
    const file = path.join(place.folder, 'agents.json');
    writeFileSync(file, JSON.stringify({ deployments: agents }));
    await product.read('deployment', 'create', '-f', file);
    await Promise.all(
      PACKS.map(async (pack) => {
        await product.read('challenge-pack', 'publish', writePack(place.folder, pack));
        results.set(pack.slug, await raced(pack.slug));
      }),
    );
  }, 300_000);
  afterAll(async () => {
    await product?.stop();
    place.remove();
  }, 120_000);

  async function raced(slug: string) {
    const { inputSet, honest, cheats } = raceOf(slug);
    const names = Object.keys({ ...honest, ...cheats }).map((name) => `${slug}.${name}`);
    const words = ['--pack', slug, '--input-set', inputSet, '--deployment', ...names];
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
    if (race === undefined) throw new Error(`nobody races on ${slug}`);
    return race;
  }

  /** Verdict, and how many cases were passed and graded. */
  function standing(slug: string, name: string) {
    const { attempts, ranking } = results.get(slug) ?? { attempts: [], ranking: [] };
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

  test.each(agentsOf('honest'))('%s: honest work passes every case: %s', (slug, name) => {
    const { cases } = raceOf(slug);
    expect(standing(slug, name)).toEqual({ verdict: true, passed: cases, graded: cases });
  });

  test.each(agentsOf('cheats'))('%s: what is no honest work fails: %s', (slug, name) => {
    const { cases } = raceOf(slug);
    const { verdict, passed, graded } = standing(slug, name);
    expect({ verdict, graded }).toEqual({ verdict: false, graded: cases });
    expect(passed).toBeLessThan(cases);
  });
});
