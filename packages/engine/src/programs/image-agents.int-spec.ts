import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parsePreset } from '@agentclash/agent-presets';
import { DEFAULT_LIMITS, type PlannedAgent } from '@agentclash/attempt-plan';
import type { SandboxProvider } from '@agentclash/sandbox';
import { E2bFixture } from '@agentclash/sandbox/fixtures/e2b';
import { ClusterFixture } from '@agentclash/sandbox/fixtures/kubernetes';
import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';
import { FAST_MODEL, modelPortsAt } from '../testing/program-models.js';

const PROGRAM = `
import json, os, sys, urllib.request
settings = json.load(open(os.path.expanduser('~/.image-agent.json')))
body = {'model': settings['model'], 'stream': True, 'messages': [{'role': 'user', 'content': sys.stdin.read()}]}
request = urllib.request.Request(os.environ['BASE'] + '/chat/completions', json.dumps(body).encode(), {
    'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['KEY']})
text = ''
for line in urllib.request.urlopen(request):
    if line.startswith(b'data: {'):
        for choice in json.loads(line[6:])['choices']:
            text += choice['delta'].get('content') or ''
print(json.dumps({'type': 'result', 'text': text}))
`;
/** Its program is one of the image, so its preset has no packages. */
const PRESET = {
  name: 'image-agent',
  title: 'Agent of the image',
  wires: ['chat'],
  command: ['python3', '-c', PROGRAM],
  stdin: '{{prompt}}',
  env: { BASE: '{{url}}/v1', KEY: '{{token}}' },
  files: { '{{home}}/.image-agent.json': '{"model":"{{model}}"}' },
  final_output: { from: 'last_json_line', where: { type: 'result' }, path: ['text'] },
};
const PACKAGES = [{ name: 'mine', version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` }];
const PACKAGED = {
  ...PRESET,
  name: 'mine',
  command: ['python3', '{{packages}}/mine/main.py'],
  packages: PACKAGES,
};

const preset = parsePreset(JSON.stringify(PRESET), 'image-agent.yaml');
const packaged = parsePreset(JSON.stringify(PACKAGED), 'mine.yaml');
const harness = new AttemptHarness();
const cluster = new ClusterFixture();
const layer = path.join(cluster.claim.directory, 'mine-01/node_modules');
const cloud = new E2bFixture();
const providers = new Map<string, SandboxProvider>();
let models: ScriptedModel;

beforeAll(async () => {
  models = await scriptedModel(() => ({ text: 'It is 5.' }));
  await harness.open();
  await cluster.start();
  mkdirSync(path.join(layer, 'mine'), { recursive: true, mode: 0o755 });
  writeFileSync(path.join(layer, 'mine/main.py'), PROGRAM);
  providers.set('bubblewrap', harness.sandboxes);
  providers.set('kubernetes', await cluster.open());
  providers.set(
    'kubernetes with a claim',
    await cluster.open({ owner: 'other', directories: cluster.claim }),
  );
  providers.set('e2b', await cloud.open());
}, 120_000);
afterAll(async () => {
  for (const [name, provider] of providers) if (name !== 'bubblewrap') await provider.close();
  await cluster.close();
  await cloud.expectNothingLeft();
  await harness.close();
  await models.close();
});

/** Runs the agent in a sandbox of the provider. */
async function run(provider: string, definition = preset) {
  const sandboxes = providers.get(provider);
  if (!sandboxes) throw new Error(`${provider} is not open`);
  const agent: PlannedAgent = {
    kind: 'program',
    config: { command: [], models: FAST_MODEL, preset: { definition } },
  };
  const plan = attemptPlan(agent, { limits: { ...DEFAULT_LIMITS, run_timeout_seconds: 60 } });
  return await harness.run(plan, {
    sandboxes,
    agentDirectories: async () => [{ source: layer, path: '/opt/agents/mine/node_modules' }],
    ...modelPortsAt(models.url, { key: 'sk-image-agent', runId: plan.run_id }),
  });
}

describe('A coding agent in sandboxes of each provider', () => {
  test.each(['bubblewrap', 'kubernetes', 'e2b'])(
    'A coding agent of the image runs by a preset without packages on %s',
    async (provider) => {
      const { result, events } = await run(provider);
      expect([provider, result.outcome, result.error]).toEqual([provider, 'completed', null]);
      expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output: 'It is 5.' }]);
    },
    60_000,
  );

  test('A coding agent with packages runs on pods that read them from a claim', async () => {
    const { result, events } = await run('kubernetes with a claim', packaged);
    expect([result.outcome, result.error]).toEqual(['completed', null]);
    expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output: 'It is 5.' }]);
  }, 60_000);

  test.each(['kubernetes', 'e2b'])(
    'A coding agent with packages is an infrastructure error on %s, which shows no directory of the executor',
    async (provider) => {
      const { result } = await run(provider, packaged);
      expect(result).toMatchObject({ outcome: 'infra_error', error: { code: 'sandbox_unsupported' } });
    },
    60_000,
  );
});
