import { readdirSync, readFileSync } from 'node:fs';
import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan, graderPlan } from '../testing/plans.js';
import { FAST_MODEL, modelPortsAt } from '../testing/program-models.js';

const KEY = 'sk-access-8a3f1b02';
/** Not what a sandbox of another test may run. */
const MARKER = 'broker-access-5c1d';
const TOGETHER = 8;

const PROGRAM = `
import json, os, subprocess, urllib.request
# ${MARKER}
subprocess.Popen(['sh', '-c', 'setsid sleep 300 & sleep 300'])
body = {'model': 'fast', 'stream': True, 'messages': [{'role': 'user', 'content': os.environ['PROMPT']}]}
request = urllib.request.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', json.dumps(body).encode(), {
    'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['OPENAI_API_KEY']})
reply = urllib.request.urlopen(request).read().decode()
open('token', 'w').write(os.environ['OPENAI_API_KEY'])
print(os.environ['PROMPT'] if 'It is 5.' in reply else 'no reply')
`;

/** Exits with success when the broker replies to the token that the program left. */
const CALL_AGAIN = `python3 -c "
import urllib.request
token = open('token').read()
url = 'http://127.0.0.1:13131/v1/models'
print(urllib.request.urlopen(urllib.request.Request(url, headers={'authorization': 'Bearer ' + token}), timeout=5).status)
"`;

let provider: ScriptedModel;
beforeAll(async () => {
  provider = await scriptedModel(() => ({ text: 'It is 5.' }));
});
afterAll(async () => await provider.close());

async function run(harness: AttemptHarness, prompt: string) {
  const config = { command: ['python3', '-c', PROGRAM], env: { PROMPT: prompt }, models: FAST_MODEL };
  const plan = attemptPlan({ kind: 'program', config });
  const ports = modelPortsAt(provider.url, { key: KEY, runId: plan.run_id });
  return { plan, ...(await harness.run(plan, ports)) };
}

/** The commands of processes that hold the text, and the mounts of the machine that do. */
function tracesOf(text: string): string[] {
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    });
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  return [...commands, ...mounts].filter((line) => line.includes(text));
}

test('The verifier of an attempt reaches no broker, even with the token that the program left', async () => {
  const harness = new AttemptHarness();
  await harness.open();
  const { plan, result, events, verify } = await run(harness, 'once');
  expect(result).toMatchObject({ outcome: 'completed' });
  const execution = { validator_key: 'tests', test_command: CALL_AGAIN, timeout_ms: 20_000 };
  expect(await verify(graderPlan(plan, { code_executions: [execution] }))).toEqual({ status: 'verified' });
  const [verified] = events.payloads('grader.verification.code_executed');
  expect(verified).toMatchObject({ exit_code: 1 });
  expect(JSON.stringify(verified)).toContain('Connection refused');
  expect(provider.requests).toHaveLength(1);
  await harness.close();
});

test(
  'Programs that call their models, eight at once, leave no process, record, disk, mount or connection',
  async () => {
    const attempts = process.env.AGENTCLASH_NIGHTLY === undefined ? 3 : 50;
    const harness = new AttemptHarness();
    await harness.open();
    const lane = async (_: unknown, number: number) => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const prompt = `lane ${number}, attempt ${attempt}`;
        const { result, events } = await run(harness, prompt);
        expect(result).toMatchObject({ outcome: 'completed' });
        expect(events.payloads('system.output.finalized')[0]?.final_output.trim()).toBe(prompt);
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, lane));
    expect(harness.leftovers()).toEqual([]);
    expect(tracesOf(MARKER)).toEqual([]);
    await harness.close();
    expect(tracesOf(harness.stateDir)).toEqual([]);
  },
  20 * 60_000,
);
