import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parsePreset } from '@agentclash/agent-presets';
import {
  type AttemptPlan,
  DEFAULT_LIMITS,
  type PlannedAgent,
  type PlannedSkill,
} from '@agentclash/attempt-plan';
import type { AttemptLimits } from '@agentclash/domain';
import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';
import { FAST_MODEL, modelPortsAt } from '../testing/program-models.js';

const KEY = 'sk-program-5d1c7e90';

const PRESET = `
name: mini
title: Mini
wires: [chat]
command: [/usr/bin/python3, '{{packages}}/mini/main.py']
stdin: '{{prompt}}'
env: { BASE: '{{url}}/v1', KEY: '{{token}}', MODEL: '{{model}}' }
packages: [{ name: mini, version: 1.0.0, integrity: sha512-${'A'.repeat(86)}== }]
skills: { directory: '{{home}}/.mini/skills' }
files: { '{{home}}/.mini/settings.json': '{"model":"{{model}}"}' }
mcp: { arguments: [--mcp, '{{url}}/mcp', --token, '{{token}}'] }
final_output: { from: last_json_line, where: { type: result }, path: [text] }
failure: { from: last_json_line, where: { type: failure }, path: [reason] }
`;

/** A coding agent of thirty lines; MODE chooses its behaviour. */
const AGENT = `
import json, os, sys, time, urllib.error, urllib.request
settings = json.load(open(os.path.expanduser('~/.mini/settings.json')))
assert settings['model'] == os.environ['MODEL']
prompt = sys.stdin.read()
mode = os.environ.get('MODE', 'once')
assert mode == 'tools' or 'AGENTCLASH_MCP_URL' not in os.environ
def call(model='gpt-unknown', **more):
    body = {'model': model, 'stream': True, 'messages': [{'role': 'user', 'content': prompt}], **more}
    request = urllib.request.Request(os.environ['BASE'] + '/chat/completions', json.dumps(body).encode(), {
        'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['KEY']})
    text = ''
    for line in urllib.request.urlopen(request):
        if line.startswith(b'data: {'):
            for choice in json.loads(line[6:])['choices']:
                text += choice['delta'].get('content') or ''
    return text
def result(text):
    print(json.dumps({'type': 'result', 'text': text}), flush=True)
if mode == 'after' and os.fork() == 0:
    while True:
        time.sleep(0.05)
        try: call()
        except Exception: pass
if mode == 'loop':
    while True:
        try: call()
        except urllib.error.HTTPError as error:
            result('refused with ' + str(error.code) + ': ' + error.read().decode())
            time.sleep(60)
if mode == 'skills':
    root = os.path.expanduser('~/.mini/skills')
    result(open(root + '/brief/SKILL.md').read() + os.popen(root + '/brief/bin/print').read())
    sys.exit(0)
if mode == 'tools':
    url, token = sys.argv[2], sys.argv[4]
    assert (url, token) == (os.environ['AGENTCLASH_MCP_URL'], os.environ['AGENTCLASH_MCP_TOKEN'])
    message = {'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'weather'}}
    request = urllib.request.Request(url, json.dumps(message).encode(), {'authorization': 'Bearer ' + token})
    result(json.load(urllib.request.urlopen(request))['result']['content'][0]['text'] + call())
    sys.exit(0)
if mode == 'named':
    result(os.environ['MODEL'] + ': ' + call(os.environ['MODEL']))
    sys.exit(0)
if mode == 'search':
    result(call(tools=[{'type': 'web_search'}, {'type': 'function', 'function': {'name': 'exec'}}]))
    sys.exit(0)
if mode == 'echo':
    # Spelled so that only the program sees the difference: evidence is redacted anyway.
    result('replaced' if '[key]' in call() else 'seen')
    sys.exit(0)
if mode == 'failure':
    result(call())
    reason = 'The  tool\\nbroke: ' + os.environ['KEY'] + ' ' + 'x' * 1000
    print(json.dumps({'type': 'failure', 'reason': reason}), flush=True)
    sys.exit(int(os.environ.get('EXIT', '0')))
try:
    result(call())
except urllib.error.HTTPError:
    # Some agents end with success on every error of a model.
    result('I could not do it.')
`;

const harness = new AttemptHarness();
let packages: string;
let provider: ScriptedModel;
beforeAll(async () => {
  await harness.open();
  packages = mkdtempSync(path.join(tmpdir(), 'agent-packages-'));
  chmodSync(packages, 0o755);
  mkdirSync(path.join(packages, 'mini'));
  writeFileSync(path.join(packages, 'mini', 'main.py'), AGENT);
});
afterAll(async () => {
  await harness.close();
  rmSync(packages, { recursive: true, force: true });
});
beforeEach(async () => {
  provider = await scriptedModel(() => ({ text: 'It is 5.' }));
});
afterEach(async () => await provider.close());

/** Runs the agent in a mode, with limits. */
async function run(
  mode: string,
  limits: Partial<AttemptLimits> = {},
  { skills = [], ...changes }: Partial<AttemptPlan> & { skills?: PlannedSkill[] } = {},
) {
  const agent: PlannedAgent = {
    kind: 'program',
    config: {
      command: [],
      env: { MODE: mode },
      models: FAST_MODEL,
      preset: {
        definition: parsePreset(PRESET, 'mini.yaml'),
        skills,
      },
    },
  };
  const plan = attemptPlan(agent, {
    limits: { ...DEFAULT_LIMITS, run_timeout_seconds: 30, ...limits },
    ...changes,
  });
  return await harness.run(plan, {
    agentDirectories: async () => [{ source: packages, path: '/opt/agents/mini/node_modules' }],
    ...modelPortsAt(provider.url, { key: KEY, runId: plan.run_id }),
  });
}

describe('A coding agent with a preset', () => {
  test('A coding agent calls its model through the broker without a network, and its calls are evidence', async () => {
    const { result, events } = await run('once');
    expect(result).toMatchObject({ outcome: 'completed' });
    const [output] = events.payloads('system.output.finalized');
    expect(output?.final_output).toBe('It is 5.');
    expect(events.payloads('model.call.completed')).toMatchObject([
      { provider_key: 'openai_compatible', model: 'real-1', text: 'It is 5.', tries: 1 },
    ]);
    const [messages] = events.payloads('model.call.messages');
    expect(JSON.stringify(messages)).toContain('Add 2 and 3.');
    expect(result.usage.input).toBeGreaterThan(0);
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify(events.all)).not.toContain(KEY);
  });

  test('A coding agent requests its model by the name of the provider, to which agents adapt themselves', async () => {
    const { result, events } = await run('named');
    expect(result).toMatchObject({ outcome: 'completed' });
    expect(events.payloads('system.output.finalized')[0]?.final_output).toBe('real-1: It is 5.');
    expect(provider.requests).toMatchObject([{ body: { model: 'real-1' } }]);
  });

  test('A coding agent that loops is stopped by its limit of calls, and its last reply gives the reason', async () => {
    const { result, events } = await run('loop', { max_iterations: 5 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'iterations' });
    expect(result.error?.message).toBe('the agent made all of its model calls: 5 (max_iterations)');
    expect(provider.requests).toHaveLength(5);
    expect(events.payloads('model.call.refused')).toMatchObject([{ reason: 'limit' }]);
  });

  test('A coding agent that loops is stopped by its limit of tokens', async () => {
    const { result } = await run('loop', { max_total_tokens: 4_250, max_iterations: 1_000 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'tokens' });
    expect(provider.requests.length).toBeGreaterThan(0);
  });

  test('A key that the provider echoes in one event does not enter the sandbox', async () => {
    provider.follow(() => ({ text: `Your key is ${KEY}.`, fragment: 100 }));
    const { events } = await run('echo');
    expect(events.payloads('system.output.finalized')[0]?.final_output).toBe('replaced');
  });

  test('An attempt whose model cannot be used ends as a provider error, though its program ends with success', async () => {
    provider.follow(() => ({ status: 401, error: { message: `bad key ${KEY}` } }));
    const { result, events } = await run('once');
    expect(result).toMatchObject({ outcome: 'provider_error' });
    expect(events.payloads('model.call.failed')).toMatchObject([{ class: 'auth', status: 401 }]);
    expect(JSON.stringify(events.all)).not.toContain(KEY);
  });

  test('An agent that names a failure and exits with success has failed, with its words in the message', async () => {
    const { result } = await run('failure');
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'reported_failure' } });
    expect(result.error?.message).toMatch(/^the agent reported a failure: The tool broke: .*x…$/);
    expect(result.error?.message.length).toBeLessThan(400);
    expect(provider.requests).toHaveLength(1);
  });

  test('Skills of a deployment are where its preset places them, with scripts that start', async () => {
    const files = [
      { path: 'SKILL.md', artifact: harness.store.add('Be brief. ') },
      { path: 'bin/print', artifact: harness.store.add('#!/bin/sh\necho yes') },
    ];
    const { result, events } = await run('skills', {}, { skills: [{ name: 'brief', files }] });
    expect(result).toMatchObject({ outcome: 'completed' });
    const [output] = events.payloads('system.output.finalized');
    expect(output?.final_output).toBe('Be brief. yes\n');
  });

  test('A coding agent gets no search of the provider, and the removal is evidence', async () => {
    const { result, events } = await run('search');
    expect(result).toMatchObject({ outcome: 'completed' });
    expect(JSON.stringify(provider.requests)).not.toContain('web_search');
    expect(events.payloads('model.call.restricted')).toMatchObject([
      { removed: [{ path: 'tools[0]', feature: 'server tool web_search' }] },
    ]);
  });

  test('A coding agent finds the tools of the pack by its settings, which name none where the pack has none', async () => {
    const weather = { name: 'weather', implementation: { type: 'mock' as const, response: 'Rain. ' } };
    const tools = { custom: [weather], workspace: [], allowed: [], denied: [] };
    const { result, events } = await run('tools', {}, { tools });
    expect(result).toMatchObject({ outcome: 'completed', tool_call_count: 1 });
    expect(events.payloads('system.output.finalized')[0]?.final_output).toBe('Rain. It is 5.');
    const without = await run('tools');
    expect(without.result).toMatchObject({ outcome: 'agent_error' });
    const [command] = without.events.payloads('sandbox.command.started');
    expect(command?.argv).not.toContain('--mcp');
  });

  test('A process that outlives its coding agent reaches no model', async () => {
    const { result } = await run('after');
    expect(result).toMatchObject({ outcome: 'completed' });
    const atEnd = provider.requests.length;
    const again = await run('once');
    expect(again.result).toMatchObject({ outcome: 'completed' });
    expect(provider.requests).toHaveLength(atEnd + 1);
  });
});
