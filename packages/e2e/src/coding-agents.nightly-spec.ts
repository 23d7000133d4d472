import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  AgentRaces,
  CODING_AGENTS,
  CODING_AGENTS_AT_ONCE,
  cheating,
  fixing,
  modelCalls,
  type Race,
  verdictsOf,
} from './testing/agent-races.js';

// The packages of all agents have 900 MiB; a registry may be far.
jest.setTimeout(1_800_000);

const PACK = 'fix-the-tests';

/** Of every agent in each case. */
const all = (end: object, cases: readonly string[] = ['chunks', 'slug']) =>
  Object.keys(CODING_AGENTS).flatMap((agent_name) =>
    cases.map((case_key) => ({ agent_name, case_key, ...end })),
  );

const PASSED = { outcome: 'completed', passed: true, overall: 1 };

describe('A race of real coding agents', () => {
  let races: AgentRaces;
  let recorded: Race;

  beforeAll(async () => {
    races = await AgentRaces.start(fixing, CODING_AGENTS);
    await races.publish(PACK);
    await races.deploy({ instructions: 'Work with care.' });
  });
  afterAll(async () => {
    await races?.stop();
  });

  test('Every agent fixes the code of both cases, and passes by hidden tests', async () => {
    recorded = await races.race(PACK, ['--model-calls', 'record', ...CODING_AGENTS_AT_ONCE]);
    expect(verdictsOf(recorded)).toEqual(all(PASSED));
    // Two cases, each with three tools and an end; some agents also request a title.
    expect(races.models.requests.length).toBeGreaterThanOrEqual(Object.keys(CODING_AGENTS).length * 2 * 4);
    expect(modelCalls(recorded).every(({ cost_usd = 0 }) => cost_usd > 0)).toBe(true);
  });

  test('Every agent repeats its recorded attempts with the same verdicts, without a call and without cost', async () => {
    const requests = races.models.requests.length;
    const replayed = await races.replay(recorded, CODING_AGENTS_AT_ONCE);
    expect(replayed.attempts.map(({ error }) => error?.message)).toEqual(all({}).map(() => undefined));
    expect(verdictsOf(replayed)).toEqual(verdictsOf(recorded));
    expect(races.models.requests).toHaveLength(requests);
    expect(modelCalls(replayed)).toHaveLength(modelCalls(recorded).length);
    for (const call of modelCalls(replayed))
      expect(call).toMatchObject({ served_from: 'replay', cost_usd: 0 });
    for (const { served_calls } of replayed.attempts) expect(served_calls).toBeGreaterThanOrEqual(4);
    const { stdout } = await races.product.run(['run', 'show', replayed.id]);
    expect(stdout).toContain('no new evidence about the models');
  });

  test('A replay of every agent with changed instructions ends without a score at the first difference', async () => {
    const requests = races.models.requests.length;
    await races.deploy({ instructions: 'Work in haste.' });
    const replayed = await races.replay(recorded, ['--case', 'slug', ...CODING_AGENTS_AT_ONCE]);
    await races.deploy({ instructions: 'Work with care.' });
    const error = {
      code: 'replay_diverged',
      message: expect.stringMatching(
        /^model call 1 differs from the recorded one at \S+: expected ".*with care.*", found ".*in haste.*"$/,
      ),
    };
    expect(verdictsOf(replayed)).toEqual(
      all({ outcome: 'infra_error', passed: null, overall: null }, ['slug']),
    );
    expect(replayed.attempts).toMatchObject(all({ error }, ['slug']));
    expect(races.models.requests).toHaveLength(requests);
  });

  test('A second race of every agent is served from the cache, without a call and without cost', async () => {
    const words = ['--case', 'slug', '--model-calls', 'cache', ...CODING_AGENTS_AT_ONCE];
    const first = await races.race(PACK, words);
    const requests = races.models.requests.length;
    const second = await races.race(PACK, words);
    expect([verdictsOf(first), verdictsOf(second)]).toEqual([all(PASSED, ['slug']), all(PASSED, ['slug'])]);
    expect(modelCalls(second)).toHaveLength(modelCalls(first).length);
    for (const call of modelCalls(second)) expect(call).toMatchObject({ served_from: 'cache', cost_usd: 0 });
    expect(races.models.requests).toHaveLength(requests);
  });

  test('Every agent that edits the tests instead has failed', async () => {
    races.models.follow(cheating);
    const { attempts } = await races.race(PACK, CODING_AGENTS_AT_ONCE);
    expect(attempts).toMatchObject(all({ outcome: 'completed', passed: false }));
    races.models.follow(fixing);
  });

  test('The key of the models is in no database, file, output or event of the races', async () => {
    expect(JSON.stringify(races.models.requests.at(-1)?.headers)).toContain(races.key);
    expect((await races.kept()).length).toBeGreaterThan(100);
    expect(await races.locationsOf(races.key)).toEqual([]);
  });
});
