import type { PlannedAgent } from '@agentclash/attempt-plan';
import { type Behaviour, type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';
import { FAST_MODEL, modelPortsAt, oneSlot } from '../testing/program-models.js';

const FRAGMENT_MS = 200;
const TEXT = 'It is 5.';

/** Repeats its call until it gets a whole reply, as coding agents do. */
const PROGRAM = `
import json, os, time, urllib.request
body = {'model': 'fast', 'stream': True, 'messages': [{'role': 'user', 'content': 'Add 2 and 3.'}]}
request = urllib.request.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', json.dumps(body).encode(), {
    'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['OPENAI_API_KEY']})
while True:
    try:
        text = urllib.request.urlopen(request).read().decode()
        if '[DONE]' in text:
            print('It is 5.')
            break
    except Exception:
        pass
    time.sleep(0.05)
`;

const harness = new AttemptHarness();
const providers: ScriptedModel[] = [];
beforeAll(() => harness.open());
afterAll(async () => {
  await harness.close();
  await Promise.all(providers.map((provider) => provider.close()));
});

const program: PlannedAgent = {
  kind: 'program',
  config: { command: ['python3', '-c', PROGRAM], models: FAST_MODEL },
};
const model: PlannedAgent = {
  kind: 'model',
  config: { provider_account_id: 'account-1', provider_key: 'openai_compatible', model: 'real-1' },
};

/** Equal lanes that begin together and share an account with one slot. */
async function race(
  agent: PlannedAgent,
  behaviour: Behaviour,
  { lanes = 6, runSeconds = 5, stepTimeoutMs = 20_000 } = {},
) {
  const provider = await scriptedModel(behaviour);
  providers.push(provider);
  const slots = oneSlot();
  const startedAt = performance.now();
  const lane = async () => {
    const plan = attemptPlan(agent, agent.kind === 'model' ? { mode: 'prompt_eval' } : {});
    const limits = { ...plan.limits, run_timeout_seconds: runSeconds };
    const ports = modelPortsAt(provider.url, { key: 'sk-wait', runId: plan.run_id, slots, stepTimeoutMs });
    const { result } = await harness.run({ ...plan, limits }, ports);
    return result.outcome;
  };
  const outcomes = await Promise.all(Array.from({ length: lanes }, lane));
  return { outcomes, tookSeconds: (performance.now() - startedAt) / 1_000 };
}

describe('Lanes that share an account with one slot', () => {
  test('Lanes of equal programs and of equal models complete, however long each of them waits for its slot', async () => {
    const slow = { text: TEXT, fragment: TEXT.length, dripMs: FRAGMENT_MS };
    const races = await Promise.all([race(program, slow), race(model, slow)]);
    for (const { outcomes, tookSeconds } of races) {
      expect(outcomes).toEqual(Array(6).fill('completed'));
      // The last lane waited for longer than its time limit.
      expect(tookSeconds).toBeGreaterThan(5);
    }
  });

  test('Lanes whose provider stalls end as errors of the provider, also the last in the queue', async () => {
    const stalls = { text: TEXT, ending: 'stall' } as const;
    const bounds = { lanes: 3, runSeconds: 3.5, stepTimeoutMs: 1_250 };
    const races = await Promise.all([
      race(program, stalls, bounds),
      race(program, { silent: true }, bounds),
      race(model, stalls, bounds),
    ]);
    for (const { outcomes } of races) expect(outcomes).toEqual(Array(3).fill('provider_error'));
  });
});
