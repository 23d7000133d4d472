import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { AgentRaces, cheating, fixing, modelCalls, type Race, verdictsOf } from './testing/agent-races.js';
import { SMALL_AGENT } from './testing/small-agent.js';
import { Warehouse } from './testing/warehouse.js';

jest.setTimeout(180_000);

/** Real coding agents race on the same paths in the nightly specs. */
describe('A race of a coding agent', () => {
  let races: AgentRaces;
  let warehouse: Warehouse;
  let recorded: Race;

  beforeAll(async () => {
    warehouse = await Warehouse.start();
    races = await AgentRaces.start(fixing, { small: { preset: SMALL_AGENT, provider: 'mistral' } });
    await races.publish('fix-the-tests');
    await races.publish('inventory', { ':8377': `:${warehouse.port}` });
    await races.deploy({ instructions: 'Work with care.' });
  });
  afterAll(async () => {
    warehouse?.close();
    await races?.stop();
  });

  const both = (end: object) =>
    ['chunks', 'slug'].map((case_key) => ({ agent_name: 'small', case_key, ...end }));
  const PASSED = both({ outcome: 'completed', passed: true, overall: 1 });

  test('An agent that fixes the code with its own tools has the full score', async () => {
    recorded = await races.race('fix-the-tests', ['--model-calls', 'record']);
    expect(verdictsOf(recorded)).toEqual(PASSED);
    expect(modelCalls(recorded)).toHaveLength(8);
  });

  test('An agent that edits the tests instead has failed by the hidden tests', async () => {
    races.models.follow(cheating);
    const { id, attempts } = await races.race('fix-the-tests');
    races.models.follow(fixing);
    expect(attempts).toMatchObject(both({ outcome: 'completed', passed: false }));
    const { items } = await races.product.read<{ items: object[] }>('run', 'failures', id);
    expect(items).toHaveLength(2);
    expect(items).toEqual(
      expect.arrayContaining(
        both({ class: 'incorrect_final_output' }).map((each) => expect.objectContaining(each)),
      ),
    );
  });

  test('A recorded race has the same verdicts in its replay, without a call and without cost', async () => {
    const requests = races.models.requests.length;
    const replayed = await races.replay(recorded);
    expect(verdictsOf(replayed)).toEqual(PASSED);
    expect(replayed.attempts).toMatchObject(both({ served_calls: 4 }));
    expect(races.models.requests).toHaveLength(requests);
    for (const call of modelCalls(replayed))
      expect(call).toMatchObject({ served_from: 'replay', cost_usd: 0 });
    const { stdout } = await races.product.run(['run', 'show', replayed.id]);
    expect(stdout).toContain('no new evidence about the models');
  });

  test('A replay with changed instructions ends without a score at the first difference', async () => {
    const requests = races.models.requests.length;
    await races.deploy({ instructions: 'Work in haste.' });
    const { attempts } = await races.replay(recorded);
    await races.deploy({ instructions: 'Work with care.' });
    const message =
      /^model call 1 differs from the recorded one at messages\[0\]\.content: expected "Work with care\..*", found "Work in haste\..*"$/;
    const error = { code: 'replay_diverged', message: expect.stringMatching(message) };
    expect(attempts).toMatchObject(both({ outcome: 'infra_error', passed: null, error }));
    expect(races.models.requests).toHaveLength(requests);
  });

  test('A race is served from the cache what a race before it has requested', async () => {
    const first = await races.race('fix-the-tests', ['--model-calls', 'cache']);
    const requests = races.models.requests.length;
    const second = await races.race('fix-the-tests', ['--model-calls', 'cache']);
    expect([verdictsOf(first), verdictsOf(second)]).toEqual([PASSED, PASSED]);
    expect(second.attempts).toMatchObject(both({ served_calls: 4 }));
    expect(races.models.requests).toHaveLength(requests);
    for (const call of modelCalls(second)) expect(call).toMatchObject({ served_from: 'cache', cost_usd: 0 });
  });

  test('A tool with a secret is called by MCP, and its secret is nowhere', async () => {
    const origin = `http://127.0.0.1:${warehouse.port}`;
    await races.setSecret('INVENTORY_TOKEN', { value: warehouse.secret, origin });
    races.models.follow(warehouse.clerk);
    const { attempts, events } = await races.race('inventory', ['--case', 'bolts']);
    expect(attempts).toMatchObject([{ outcome: 'completed', passed: true }]);
    expect(warehouse.served).toEqual(['/stock/A-100']);
    const calls = events.filter(({ event_type }) => event_type === 'tool.call.completed');
    expect(calls.map(({ payload }) => payload)).toMatchObject([{ tool_name: 'check_stock', layer: 'pack' }]);
    const [searched] = races.models.requests.slice(-1);
    expect(JSON.stringify(searched?.body.messages)).toMatch(/secrets: 0\\nnotes: \d/);
    expect(await races.locationsOf(warehouse.note)).toEqual(
      expect.arrayContaining(['runs.events', 'printed']),
    );
    expect(await races.locationsOf(warehouse.secret)).toEqual([]);
  });

  test('The key of the models is in no database, file, output or event of the races', async () => {
    expect(JSON.stringify(races.models.requests.at(-1)?.headers)).toContain(races.key);
    expect(await races.locationsOf(races.key)).toEqual([]);
  });
});
