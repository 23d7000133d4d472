import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Behaviour,
  type ScriptedModel,
  type ScriptedRequest,
  scriptedModel,
} from '@agentclash/scripted-model';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { filesWith, formsOf } from './planted.js';
import { Product } from './product.js';

jest.setTimeout(180_000);

interface Attempt {
  id: string;
  outcome: string;
}
interface Ranked {
  items: { name: string; rank: number | null }[];
}

/** Solves the starter packs: returns the capital, or the sum of the file's numbers. */
function solver({ body }: ScriptedRequest): Behaviour {
  const conversation = JSON.stringify(body.messages);
  if (!conversation.includes('numbers.txt'))
    return { text: conversation.includes('Japan') ? 'Japan: Tokyo' : 'France: Paris' };
  if (!conversation.includes('6.0')) {
    return { toolCalls: [{ name: 'write_file', arguments: { path: 'answer.txt', content: '6.0' } }] };
  }
  return { toolCalls: [{ name: 'submit', arguments: { answer: '6' } }] };
}

const ACCOUNTS = `
provider_accounts:
  - &account
    name: wire-a
    provider_key: openai
    base_url: URL
    credential_reference: workspace-secret://MODEL_KEY
    pricing:
      models:
        - {provider_key: openai, provider_model_id: m-1, input_cost_per_million_tokens: 1000, output_cost_per_million_tokens: 2000}
  - name: wire-b
    provider_key: anthropic
    base_url: URL
    credential_reference: workspace-secret://MODEL_KEY
    pricing:
      models:
        - {provider_key: anthropic, provider_model_id: m-1, input_cost_per_million_tokens: 1000, output_cost_per_million_tokens: 2000}
model_aliases:
  - {name: a, provider_account: wire-a, model: m-1}
deployments:
  - {name: agent-a, kind: model, config: {model_alias: a}}
  - {name: agent-b, kind: model, config: {provider_account: wire-b, model: m-1}}
`.replace('&account\n    ', '');

describe('a race of models', () => {
  const key = `sk-${randomBytes(18).toString('hex')}`;
  const printed: string[] = [];
  let product: Product;
  let server: ScriptedModel;

  beforeAll(async () => {
    server = await scriptedModel();
    product = await Product.start();
    const secret = await product.run(['secret', 'set', 'MODEL_KEY', '--host', new URL(server.url).origin], {
      stdin: key,
    });
    expect(secret).toMatchObject({ code: 0 });
    const file = path.join(product.folder.path, 'models.yaml');
    writeFileSync(file, ACCOUNTS.replaceAll('URL', JSON.stringify(server.url)));
    await product.read('deployment', 'create', '-f', file);
    for (const template of ['native', 'prompt_eval']) {
      const pack = path.join(product.folder.path, `${template.replace('_', '-')}.yaml`);
      const made = await product.run(['challenge-pack', 'init', pack, '--template', template]);
      expect(made).toMatchObject({ code: 0 });
      await product.read('challenge-pack', 'publish', pack);
    }
  }, 180_000);
  afterAll(async () => {
    await product?.stop();
    await server?.close();
    product?.folder.remove();
  }, 120_000);
  beforeEach(() => server.follow(solver));

  async function race(pack: string, deployments: string[], ...more: string[]) {
    const words = ['eval', 'start', '--pack', pack, '--deployment', ...deployments, '--follow', ...more];
    const ended = await product.run(words, { timeoutMs: 170_000 });
    printed.push(ended.stdout, ended.stderr);
    const attempts = (await product.read<{ items: Attempt[] }>('run', 'attempts', 'last')).items;
    const exported = (await product.run(['run', 'export', 'last'])).stdout;
    printed.push(exported);
    const events = exported
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event_type: string; payload: Record<string, unknown> });
    const of = (type: string) => events.filter((event) => event.event_type === type);
    return { ...ended, attempts, of };
  }

  test.each(['native', 'prompt-eval'])(
    'a race over two wire formats completes a %s pack, with ranking, usage and cost',
    async (pack) => {
      const { code, attempts, of, stderr } = await race(pack, ['agent-a', 'agent-b']);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(new Set(attempts.map(({ outcome }) => outcome))).toEqual(new Set(['completed']));
      const { items } = await product.read<Ranked>('run', 'ranking', 'last');
      expect(items).toHaveLength(2);
      for (const { payload } of of('model.call.completed')) {
        expect(payload).toMatchObject({
          response_model: 'm-1',
          usage: { input: 10, output: 5 },
          cost_usd: 0.02,
        });
      }
      expect(of('system.run.completed').map(({ payload }) => payload.cost_usd)).not.toContain(null);
      expect(of('model.output.delta')).toEqual([]);
      // The prompt is on record, word for word.
      const prompts = of('model.call.messages').map(({ payload }) => JSON.stringify(payload));
      expect(prompts).toHaveLength(of('model.call.started').length);
      expect(prompts.join()).toContain(pack === 'native' ? 'numbers.txt' : 'What is the capital of');
      const { stdout } = await product.run(['replay', attempts[0]?.id ?? '']);
      expect(stdout).toMatch(/^ +user( {2}|$)/m);
      const wires = server.requests.map(({ wire }) => wire);
      expect(new Set(wires)).toEqual(new Set(['chat', 'anthropic']));
    },
  );

  test('a race that is rate-limited slows down and completes', async () => {
    let refusedCount = 0;
    server.follow((request) => {
      if (refusedCount < 3) {
        refusedCount += 1;
        return { status: 429, headers: { 'retry-after': '0' }, error: { message: 'slow down' } };
      }
      return { ...solver(request), dripMs: 20 };
    });
    const { code, attempts, of } = await race('prompt-eval', ['agent-a'], '--repetitions', '10');
    expect(code).toBe(0);
    const tries = of('model.call.completed').map(({ payload }) => Number(payload.tries));
    expect(tries.reduce((sum, count) => sum + count, 0)).toBe(attempts.length + 3);
    expect(attempts.every(({ outcome }) => outcome === 'completed')).toBe(true);
  });

  test('a model whose key is refused scores no attempt, is not tried again, and ends with an error', async () => {
    const before = server.requests.length;
    server.follow({ status: 401, error: { message: `Incorrect API key provided: ${key}` } });
    const { code, attempts, of } = await race('prompt-eval', ['agent-a']);
    expect(code).toBe(1);
    expect(attempts.every(({ outcome }) => outcome === 'provider_error')).toBe(true);
    expect(server.requests.length - before).toBe(attempts.length);
    expect(of('system.run.failed').map(({ payload }) => payload)).toEqual(
      attempts.map(() => expect.objectContaining({ will_retry: false })),
    );
  });

  interface Judged {
    agent_name: string;
    case_key: string;
    outcome: string;
    overall: number | null;
    passed: boolean | null;
  }
  const verdicts = async () =>
    (await product.read<{ items: Judged[] }>('run', 'attempts', 'last')).items.map(
      ({ agent_name, case_key, outcome, overall, passed }) => ({
        ...{ agent_name, case_key, outcome, overall, passed },
      }),
    );

  test('a recorded race is replayed with the same verdicts, without a request and without cost', async () => {
    const recorded = await race('native', ['agent-a', 'agent-b'], '--model-calls', 'record');
    expect(recorded).toMatchObject({ code: 0 });
    const before = await verdicts();
    expect(before.map(({ passed }) => passed)).toContain(true);
    const { id } = await product.read<{ id: string }>('run', 'show', 'last');
    const requests = server.requests.length;
    // Calls would be seen, and fail.
    server.follow({ status: 401, error: { message: 'live call' } });
    const words = ['run', 'start', '--replay-from', id, '--follow'];
    const replayed = await product.run(words, { timeoutMs: 170_000 });
    expect(replayed).toMatchObject({ code: 0 });
    expect(await verdicts()).toEqual(before);
    expect(server.requests).toHaveLength(requests);
    const exported = (await product.run(['run', 'export', 'last'])).stdout;
    const ends = exported.split('\n').filter((line) => line.includes('"event_type":"system.run.completed"'));
    expect(ends).toHaveLength(before.length);
    for (const line of ends) {
      const { payload } = JSON.parse(line) as { payload: object };
      expect(payload).toMatchObject({ cost_usd: 0, served_calls: expect.any(Number) });
    }
    expect((await product.run(['run', 'show', 'last'])).stdout).toContain('no new evidence about the models');
    const gate = await product.run([
      'gate',
      'last',
      '--baseline',
      id,
      '--agent',
      'agent-a',
      '--baseline-agent',
      'agent-a',
    ]);
    expect(gate).toMatchObject({ code: 3, stdout: expect.stringContaining('recorded or cached replies') });
    const baseline = await product.run(['baseline', 'set', 'last']);
    expect(baseline.code).not.toBe(0);
    expect(baseline.stderr).toContain('no new evidence about the models');
  });

  test('a race with the model calls cache makes no call that a race before it made', async () => {
    await race('native', ['agent-a'], '--model-calls', 'cache');
    const before = await verdicts();
    const requests = server.requests.length;
    server.follow({ status: 401, error: { message: 'live call' } });
    const { code, of } = await race('native', ['agent-a'], '--model-calls', 'cache');
    expect(code).toBe(0);
    expect(await verdicts()).toEqual(before);
    expect(server.requests).toHaveLength(requests);
    expect(of('model.call.completed').map(({ payload }) => payload.served_from)).toEqual(
      of('model.call.started').map(() => 'cache'),
    );
  });

  test('provider accounts can be tested before a race, one by one', async () => {
    const works = await product.run(['provider-account', 'test', 'wire-a']);
    expect(works).toMatchObject({ code: 0, stdout: expect.stringContaining('m-1: OK') });
    const needsModel = await product.run(['provider-account', 'test', 'wire-b']);
    expect(needsModel).toMatchObject({ code: 64, stderr: expect.stringContaining('model') });
    server.follow({ status: 401, error: { message: `no such key ${key}` } });
    const refused = await product.run(['provider-account', 'test', 'wire-b', '--model', 'm-1']);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('auth') });
    printed.push(refused.stdout, refused.stderr);
  });

  test('the key of a provider account is in no output, database, stream, blob or log', async () => {
    await product.stop();
    expect(server.requests.some(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    expect(filesWith(['agent-a'], product.folder.path)).not.toEqual([]);
    expect(filesWith(formsOf(key), product.folder.path)).toEqual([]);
    expect(formsOf(key).filter((form) => printed.join('').includes(form))).toEqual([]);
  });
});
