import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AttemptPlan, type PlannedAgent, planFromPack } from '@agentclash/attempt-plan';
import type { ExecutionMode } from '@agentclash/domain';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness, type EventLog } from '../testing/attempt-harness.js';
import { FakeModel, type FakeReply, fakeModels, modelConfig } from '../testing/fake-model.js';
import { attemptPlan } from '../testing/plans.js';
import { HIDDEN, SHOWN, secretiveCase, secretiveManifest } from '../testing/secretive-pack.js';

const harness = new AttemptHarness();
let server: Server;
let url: string;
const posted: string[] = [];
const egress = createEgress({ settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.0/8'] } });

beforeAll(async () => {
  await harness.open();
  server = createServer((request, response) => {
    let seen = JSON.stringify(request.rawHeaders);
    request.on('data', (part) => {
      seen += part;
    });
    request.on('end', () => {
      posted.push(seen);
      response.end('{"output": "done"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await harness.close();
  await new Promise((resolve) => server.close(resolve));
});

/** The attempt of a case whose forbidden fields are all marked, identities included. */
function secretivePlan(mode: ExecutionMode, agent: PlannedAgent): AttemptPlan {
  const artifacts = new Map([
    ['ledger', harness.store.add(`${SHOWN}-ledger`)],
    ['solution', harness.store.add(`${HIDDEN}-solution`)],
  ]);
  const pack = planFromPack(secretiveManifest(mode), secretiveCase(mode), {
    artifactOf: (id) => artifacts.get(id),
    simulatorOf: () => modelConfig('user'),
  });
  const ids = ['workspace_id', 'run_id', 'run_agent_id', 'attempt_id'].map((id) => [id, `${HIDDEN}-${id}`]);
  return attemptPlan(agent, {
    ...pack,
    ...Object.fromEntries(ids),
    tools: { ...pack.tools, workspace: [] },
    tool_policy: { allowed_tool_kinds: ['file', 'shell'] },
  });
}

/** Everything that an agent can find: its input, its environment, every file that is not of the base image. */
const LOOK_AROUND = [
  "marks='[a-z]*-6b1f[A-Za-z0-9_-]*'",
  'around() {',
  '  cat; cat "$AGENTCLASH_TASK"; env; hostname; find / -xdev -name "*6b1f*"',
  '  cat /proc/self/mountinfo /proc/self/cgroup /proc/*/cmdline /proc/*/environ',
  '}',
  'around | grep -ao "$marks"',
  'grep -raoh "$marks" /workspace /agent /tmp /grader /home /root /run /var/tmp /etc',
].join('\n');
const look = ['sh', '-c', `(${LOOK_AROUND}) 2>/dev/null; true`];

/** The results of calls; the rest of a call's event is not the agent's to read. */
const toolResults = (events: EventLog) =>
  JSON.stringify([
    ...events.payloads('tool.call.completed').map(({ result }) => result),
    ...events.payloads('tool.call.failed').map(({ result }) => result),
  ]);

function expectOnlyTheView(seen: string, mustShow: string[]): void {
  const leaks = [...seen.matchAll(new RegExp(`${HIDDEN}[\\w-]*`, 'g'))].map(([leak]) => leak);
  expect([...new Set(leaks)]).toEqual([]);
  for (const field of mustShow) expect(seen).toContain(`${SHOWN}-${field}`);
}

const TASK = ['title', 'instructions', 'payload', 'input'];
const user = () => new FakeModel([{ text: 'Please continue.' }], 'user');

describe('what no agent may see reaches', () => {
  test.each([
    ['native', [...TASK, 'tool', 'tool-2', 'file']],
    ['responses', ['instructions', 'payload', 'input', 'file']],
    ['prompt_eval', ['instructions', 'payload', 'input']],
    ['multi_turn', [...TASK, 'tool', 'turn', 'file']],
  ] as const)('data that no agent may see reaches no model in %s', async (mode, mustShow) => {
    const replies: FakeReply[] = [
      {
        calls: [
          { name: 'exec', args: { command: look } },
          { name: 'weather', args: {} },
          { name: 'peek', args: {} },
          { name: 'no_such_tool', args: {} },
        ],
      },
      { text: 'done' },
    ];
    const model = new FakeModel(mode === 'prompt_eval' ? replies.slice(1) : replies, 'agent');
    const { result, events } = await harness.run(
      secretivePlan(mode, { kind: 'model', config: modelConfig('agent') }),
      { openModel: fakeModels(model, user()) },
    );
    expect(result.outcome).toBe('completed');
    expectOnlyTheView(model.receivedText() + toolResults(events), [...mustShow]);
  });

  test.each([
    ['native', []],
    ['responses', []],
    ['multi_turn', ['turn']],
  ] as const)('data that no agent may see reaches no program in %s', async (mode, more) => {
    const agent: PlannedAgent = { kind: 'program', config: { command: look } };
    const { result, events } = await harness.run(secretivePlan(mode, agent), {
      openModel: fakeModels(user()),
    });
    expect(result).toMatchObject({ outcome: 'completed' });
    const evidence = JSON.stringify([
      events.payloads('system.output.finalized'),
      events.payloads('turn.assistant.message').map(({ message }) => message),
    ]);
    expectOnlyTheView(evidence, [...TASK, 'file', 'ledger', ...more]);
  });

  test.each([
    ['native', []],
    ['responses', []],
    ['prompt_eval', []],
    ['multi_turn', ['turn']],
  ] as const)('data that no agent may see reaches no endpoint in %s', async (mode, more) => {
    posted.length = 0;
    const agent: PlannedAgent = { kind: 'endpoint', config: { url } };
    const { result } = await harness.run(secretivePlan(mode, agent), {
      egress,
      openModel: fakeModels(user()),
    });
    expect(result.outcome).toBe('completed');
    expectOnlyTheView(posted.join('\n'), [...TASK, ...more]);
  });

  test.each(['native', 'responses', 'multi_turn'] as const)(
    'data that no agent may see reaches no script in %s',
    async (mode) => {
      const call = (name: string, args: Record<string, string[]> = {}) => ({
        call: { name, arguments: args },
      });
      const steps = [call('exec', { command: look }), call('weather'), call('peek'), { answer: 'done' }];
      const plan = secretivePlan(mode, { kind: 'scripted', config: { steps } });
      const { events } = await harness.run(plan, { openModel: fakeModels(user()) });
      expectOnlyTheView(toolResults(events), ['file', 'ledger']);
    },
  );
});
