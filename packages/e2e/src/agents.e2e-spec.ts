import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository, StackFolder } from './product.js';
import {
  BAD_ENDPOINTS,
  BAD_MODELS,
  BAD_PROGRAMS,
  badEndpoints,
  type End,
  MODELS,
  modelScript,
  ONE_WORD_PACK,
} from './testing/bad-agents.js';
import { sandboxesBelow } from './testing/processes.js';
import { historyProblems, readRecorded } from './testing/recorded.js';

jest.setTimeout(180_000);

const example = (...names: string[]) => path.join(repository, 'examples', ...names);

interface AttemptRow {
  id: string;
  agent_name: string;
  outcome: string | null;
  passed: boolean | null;
  started_at: string | null;
  finished_at: string | null;
}

/** A coding agent that calls its model once. */
const SMALL_AGENT = {
  name: 'small-agent',
  title: 'Small agent',
  wires: ['chat'],
  command: [
    '/usr/bin/python3',
    '-c',
    `
import json, os, sys, urllib.request
body = {'model': os.environ['MODEL'], 'stream': True, 'messages': [{'role': 'user', 'content': sys.stdin.read()}]}
request = urllib.request.Request(os.environ['BASE'] + '/v1/chat/completions', json.dumps(body).encode(), {
    'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['TOKEN']})
text = ''
for line in urllib.request.urlopen(request):
    if line.startswith(b'data: {'):
        for choice in json.loads(line[6:])['choices']:
            text += choice['delta'].get('content') or ''
print(json.dumps({'type': 'result', 'text': text}))
`,
  ],
  stdin: '{{prompt}}',
  env: { BASE: '{{url}}', TOKEN: '{{token}}', MODEL: '{{model}}' },
  final_output: { from: 'last_json_line', where: { type: 'result' }, path: ['text'] },
};

/** Seconds that a bad agent may work, and that everything around it may take on a busy machine. */
const RUN_SECONDS = 4;
const LONG_SECONDS = 60;
const SLACK_SECONDS = 45;

describe('agents from outside', () => {
  const folder = new StackFolder();
  let product: Product;
  let models: ScriptedModel;
  let endpoints: Server;

  beforeAll(async () => {
    models = await scriptedModel(modelScript);
    endpoints = badEndpoints().listen(0, '127.0.0.1');
    await once(endpoints, 'listening');
    product = await Product.start(folder);
    await product.read('challenge-pack', 'publish', written('one-word.yaml', ONE_WORD_PACK));
    for (const pack of ['help-desk', 'fix-the-tests', 'late-refund']) {
      await product.read('challenge-pack', 'publish', example('challenge-packs', `${pack}.yaml`));
    }
    await product.read('deployment', 'create', '-f', written('agents.yaml', JSON.stringify(agentsFile())));
  }, 180_000);
  afterAll(async () => {
    await product?.stop();
    await models?.close();
    endpoints?.close();
    endpoints?.closeAllConnections();
    folder.remove();
  }, 120_000);

  function written(name: string, text: string): string {
    const file = path.join(folder.path, name);
    writeFileSync(file, text);
    return file;
  }

  /** One account at the model server, an alias and a deployment per script, programs and endpoints. */
  function agentsFile(): object {
    const { port } = endpoints.address() as AddressInfo;
    const quick = { runtime_profile: 'quick' };
    return {
      provider_accounts: [{ name: 'fake', provider_key: 'openai_compatible', base_url: models.url }],
      model_aliases: [...MODELS, 'simulator'].map((name) => ({
        name,
        provider_account: 'fake',
        model: name === 'simulator' ? 'customer' : name,
      })),
      runtime_profiles: [
        { name: 'quick', run_timeout_seconds: RUN_SECONDS },
        { name: 'short', run_timeout_seconds: LONG_SECONDS, max_iterations: 4, max_tool_calls: 20 },
      ],
      deployments: [
        ...MODELS.map((name) => ({
          name,
          kind: 'model',
          ...(name in BAD_MODELS && { runtime_profile: 'short' }),
          config: { model_alias: name },
        })),
        ...Object.entries(BAD_PROGRAMS).map(([name, { command, isSlow }]) => ({
          name,
          kind: 'program',
          runtime_profile: isSlow ? 'short' : 'quick',
          config: { command },
        })),
        ...Object.keys(BAD_ENDPOINTS).map((name) => ({
          name,
          kind: 'endpoint',
          ...quick,
          config: { url: `http://127.0.0.1:${port}/${name}` },
        })),
      ],
    };
  }

  async function race(pack: string, agents: readonly string[], inputSet = 'default') {
    const words = ['eval', 'start', '--pack', pack, '--input-set', inputSet, '--deployment', ...agents];
    const { id } = await product.read<{ id: string }>(...words);
    await product.run(['run', 'show', id, '--follow'], { timeoutMs: 170_000 });
    const { items } = await product.read<{ items: AttemptRow[] }>('run', 'attempts', id);
    const events = readRecorded((await product.run(['run', 'export', id])).stdout);
    expect(historyProblems(events)).toEqual([]);
    const ends = items.map(({ id: attempt, agent_name, outcome }) => {
      const last = events.findLast(
        ({ attempt_id, event_type }) =>
          attempt_id === attempt && /^system\.run\.(completed|failed)$/.test(event_type),
      );
      const { error, limit_kind } = (last?.payload ?? {}) as {
        error?: { code: string; class?: string };
        limit_kind?: string;
      };
      return { agent_name, outcome, reason: limit_kind ?? error?.class ?? error?.code };
    });
    return { id, items, events, ends };
  }

  const expected = (ends: Readonly<Record<string, End>>) =>
    Object.entries(ends).map(([agent_name, end]) => expect.objectContaining({ agent_name, ...end }));

  function expectInTime(items: readonly AttemptRow[], seconds: number): void {
    for (const { agent_name, started_at, finished_at } of items) {
      const tookMs = Date.parse(finished_at ?? '') - Date.parse(started_at ?? '');
      expect({ agent_name, late: !(tookMs < (seconds + SLACK_SECONDS) * 1_000) }).toEqual({
        agent_name,
        late: false,
      });
    }
  }

  test('a model behind an OpenAI-compatible server solves a pack with its tools', async () => {
    const { items, events } = await race('help-desk', ['help-desk']);
    expect(items.map(({ passed }) => passed)).toEqual([true, true]);
    const calls = events.filter(({ event_type }) => event_type === 'model.call.completed');
    expect(calls).toHaveLength(8);
    expect(calls[0]?.payload).toMatchObject({
      provider_key: 'openai_compatible',
      model: 'help-desk',
      tries: 1,
    });
    const offered = JSON.stringify(
      models.requests.find(({ body }) => body.model === 'help-desk')?.body.tools,
    );
    for (const tool of ['find_customer', 'read_rule', 'submit']) expect(offered).toContain(tool);
    expect(offered).not.toContain('read_file');
    const { stdout } = await product.run(['replay', items[0]?.id ?? '']);
    expect(stdout).toContain('calls find_customer');
  });

  test('a simulated customer is played by the model of the alias simulator', async () => {
    const text = readFileSync(example('deployments', 'late-refund.yaml'), 'utf8');
    await product.read('deployment', 'create', '-f', written('late-refund.yaml', text));
    const { items, events } = await race('late-refund', ['refund-oracle'], 'simulated');
    expect(items).toMatchObject([{ outcome: 'completed', passed: true }]);
    const simulated = events.filter(({ event_type }) => event_type === 'turn.user.simulated');
    expect(simulated.map(({ payload }) => payload.model)).toEqual(['customer']);
  });

  test('the example files for a local model give it the tools of the workspace', async () => {
    const local = readFileSync(example('deployments', 'local-model.yaml'), 'utf8');
    const here = local.replace('http://127.0.0.1:11434/v1', models.url);
    await product.read('deployment', 'create', '-f', written('local-model.yaml', here));
    await product.read('deployment', 'create', '-f', example('deployments', 'workspace-tools.yaml'));
    const { items, events } = await race('fix-the-tests', ['model-with-tools']);
    expect(items.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
    const used = events
      .filter(
        ({ event_type, payload }) => event_type === 'tool.call.completed' && payload.layer === 'workspace',
      )
      .map(({ payload }) => payload.tool_name);
    expect([...new Set(used)].sort()).toEqual(['ask_colleague', 'find_definition', 'take_note']);
  });

  test('a coding agent with a preset calls its model through the broker, and has no network and no key', async () => {
    const config = { preset: SMALL_AGENT, models: { main: 'prose' }, instructions: 'Be brief.' };
    const deployments = [{ name: 'coder', kind: 'program', config }];
    await product.read('deployment', 'create', '-f', written('coder.yaml', JSON.stringify({ deployments })));
    const { items, events } = await race('one-word', ['coder']);
    expect(items.map(({ outcome }) => outcome)).toEqual(items.map(() => 'completed'));
    const of = (type: string) => events.filter(({ event_type }) => event_type === type);
    expect(of('model.call.completed')[0]?.payload).toMatchObject({ model: 'prose', tries: 1 });
    expect(JSON.stringify(of('model.call.messages')[0]?.payload)).toContain('Be brief.');
    expect(of('system.output.finalized')[0]?.payload).toMatchObject({
      final_output: 'Let me think about it.',
    });
  });

  test('a preset that does not exist, and one whose model has another API, are refused with the reason', async () => {
    const create = async (config: object) => {
      const deployments = [{ name: 'refused', kind: 'program', config }];
      const file = written('refused.yaml', JSON.stringify({ deployments }));
      return await product.run(['deployment', 'create', '-f', file]);
    };
    const models = { main: 'prose' };
    expect((await create({ preset: 'aider', models })).stdout).toContain('claude-code or codex');
    expect((await create({ preset: 'pi' })).stdout).toContain('models');
    expect((await create({ preset: 'pi', models: { main: 'unknown' } })).stdout).toContain(
      'config.models.main',
    );
    const otherApi = await create({ preset: 'claude-code', models });
    expect(otherApi.code).not.toBe(0);
    expect(otherApi.stdout).toContain('openai_compatible');
  });

  test('bad programs end with the outcome of their failure, in time', async () => {
    const { items, ends } = await race('one-word', Object.keys(BAD_PROGRAMS));
    const wanted = Object.fromEntries(Object.entries(BAD_PROGRAMS).map(([name, { end }]) => [name, end]));
    expect(ends).toHaveLength(Object.keys(wanted).length);
    expect(ends).toEqual(expect.arrayContaining(expected(wanted)));
    const isSlow = ({ agent_name }: AttemptRow) => BAD_PROGRAMS[agent_name]?.isSlow === true;
    expectInTime(
      items.filter((item) => !isSlow(item)),
      RUN_SECONDS,
    );
    expectInTime(items.filter(isSlow), LONG_SECONDS);
  });

  test('bad endpoints end with the outcome of their failure, in time', async () => {
    const { items, ends } = await race('one-word', Object.keys(BAD_ENDPOINTS));
    expect(ends).toEqual(expect.arrayContaining(expected(BAD_ENDPOINTS)));
    expectInTime(items, RUN_SECONDS);
  });

  test('bad models end with the outcome of their failure, in time, and no provider error counts', async () => {
    const { id, items, ends } = await race('help-desk', Object.keys(BAD_MODELS));
    expect(ends).toHaveLength(2 * Object.keys(BAD_MODELS).length);
    expect(ends).toEqual(expect.arrayContaining(expected(BAD_MODELS)));
    expectInTime(items, LONG_SECONDS);
    const ranking = await product.read<{ items: { name: string; overall: number | null }[] }>(
      'run',
      'ranking',
      id,
    );
    expect(ranking.items.find(({ name }) => name === 'unauthorized')).toMatchObject({ overall: null });
  });

  test('no sandbox and no open call is left by any of them', async () => {
    expect(sandboxesBelow(product.state.pid)).toEqual([]);
    expect(models.open).toBe(0);
  });
});
