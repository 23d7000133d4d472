import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Script } from '@agentclash/scripted-model';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { repository } from './product.js';
import { AgentRaces, CODING_AGENTS, CODING_AGENTS_AT_ONCE } from './testing/agent-races.js';
import { Warehouse } from './testing/warehouse.js';

// The packages of all agents have 900 MiB; a registry may be far.
jest.setTimeout(1_800_000);

const AGENTS = {
  ...CODING_AGENTS,
  careless: { preset: 'pi', provider: 'mistral', model: 'careless' },
} as const;
const BY_ACP = {
  'gemini-acp': { preset: 'gemini-cli', provider: 'google', protocol: 'acp' },
  'opencode-acp': { preset: 'opencode', provider: 'mistral', protocol: 'acp' },
  'qwen-acp': { preset: 'qwen-code', provider: 'mistral', protocol: 'acp' },
} as const;
/** pi has no MCP. */
const WITH_MCP = Object.keys(CODING_AGENTS).filter((name) => name !== 'pi');

const example = (name: string) =>
  readFileSync(path.join(repository, 'examples/deployments/small-python-tasks', `${name}.py`), 'utf8');
const SOLUTIONS = { scripted: example('solutions'), careless: example('hasty_solutions') };

/** Writes the functions of the pack small-python-tasks; the careless model forgets edge cases. */
const solving: Script = ({ tools, resultCount, model }) => {
  if (tools.length === 0) return { text: 'A title' };
  const path = '/workspace/solution.py';
  if (resultCount === 0) return { read: path };
  const content = model === 'careless' ? SOLUTIONS.careless : SOLUTIONS.scripted;
  return resultCount === 1 ? { write: { path, content } } : { text: 'The function is written.' };
};

const CASES = [
  'balanced',
  'build-order',
  'merge-intervals',
  'parse-duration',
  'roman-number',
  'share-cents',
  'split-csv-line',
];
/** The cases without edge cases that the careless solutions miss. */
const EASY = ['build-order', 'merge-intervals', 'roman-number'];

describe('Real coding agents with packs of tools and tasks', () => {
  let races: AgentRaces;
  let warehouse: Warehouse;

  beforeAll(async () => {
    warehouse = await Warehouse.start();
    races = await AgentRaces.start(solving, { ...AGENTS, ...BY_ACP });
    await races.publish('small-python-tasks');
    await races.publish('inventory', { ':8377': `:${warehouse.port}` });
    await races.deploy();
  });
  afterAll(async () => {
    warehouse?.close();
    await races?.stop();
  });

  test('Six agents with correct solutions pass every task, and one with careless ones fails those with edge cases', async () => {
    const { attempts } = await races.race('small-python-tasks', CODING_AGENTS_AT_ONCE, Object.keys(AGENTS));
    const expected = Object.keys(AGENTS)
      .toSorted()
      .flatMap((agent_name) =>
        CASES.map((case_key) => {
          const passed = agent_name !== 'careless' || EASY.includes(case_key);
          return { agent_name, case_key, outcome: 'completed', passed };
        }),
      );
    expect(
      attempts.map(({ agent_name, case_key, outcome, passed }) => ({
        ...{ agent_name, case_key, outcome, passed },
      })),
    ).toEqual(expected);
  });

  test('Every agent with MCP calls a tool with a secret, and its secret is nowhere', async () => {
    const origin = `http://127.0.0.1:${warehouse.port}`;
    await races.setSecret('INVENTORY_TOKEN', { value: warehouse.secret, origin });
    races.models.follow(warehouse.clerk);
    const words = ['--case', 'bolts', ...CODING_AGENTS_AT_ONCE];
    const { attempts, events } = await races.race('inventory', words, WITH_MCP);
    expect(attempts).toMatchObject(
      WITH_MCP.map((agent_name) => ({ agent_name, outcome: 'completed', passed: true })),
    );
    expect(warehouse.served).toEqual(WITH_MCP.map(() => '/stock/A-100'));
    const calls = events.filter(({ event_type }) => event_type === 'tool.call.completed');
    expect(calls.map(({ payload }) => payload)).toMatchObject(
      WITH_MCP.map(() => ({ tool_name: 'check_stock', layer: 'pack' })),
    );
    // The agents have searched their sandboxes, where their logs hold what the tool returned.
    const found = races.models.requests.flatMap(({ wire, body }) => {
      const [, secrets, notes] = /secrets: (\d+)\\+nnotes: (\d+)/.exec(JSON.stringify(body)) ?? [];
      return secrets === undefined ? [] : [{ wire, secrets, notes }];
    });
    expect(found).toHaveLength(WITH_MCP.length);
    expect(found.filter(({ secrets, notes }) => secrets !== '0' || notes === '0')).toEqual([]);
    expect(await races.locationsOf(warehouse.note)).toEqual(
      expect.arrayContaining(['runs.events', 'printed']),
    );
    expect(await races.locationsOf(warehouse.secret)).toEqual([]);
  });

  test('Every agent by ACP calls a tool with a secret that its session names, and its secret is nowhere', async () => {
    const origin = `http://127.0.0.1:${warehouse.port}`;
    await races.setSecret('INVENTORY_TOKEN', { value: warehouse.secret, origin });
    races.models.follow(warehouse.clerk);
    const before = warehouse.served.length;
    const names = Object.keys(BY_ACP);
    const words = ['--case', 'bolts', ...CODING_AGENTS_AT_ONCE];
    const { attempts, events } = await races.race('inventory', words, names);
    expect(attempts).toMatchObject(
      names.map((agent_name) => ({ agent_name, outcome: 'completed', passed: true })),
    );
    expect(warehouse.served.slice(before)).toEqual(names.map(() => '/stock/A-100'));
    const calls = events.filter(({ event_type }) => event_type === 'tool.call.completed');
    expect(calls.map(({ payload }) => payload)).toMatchObject(
      names.map(() => ({ tool_name: 'check_stock', layer: 'pack' })),
    );
    expect(await races.locationsOf(warehouse.secret)).toEqual([]);
  });

  test('The key of the models is in no database, file, output or event of the races', async () => {
    expect(JSON.stringify(races.models.requests.at(-1)?.headers)).toContain(races.key);
    expect(await races.locationsOf(races.key)).toEqual([]);
  });
});
