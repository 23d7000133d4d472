import { type AttemptPlan, DEFAULT_LIMITS, type PlannedAgent } from '@agentclash/attempt-plan';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { A2aServer, a2aMessage } from '../testing/a2a-server.js';
import { acpAgent } from '../testing/acp-agent.js';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { COMMAND_SERVER } from '../testing/mcp-server.js';
import { attemptPlan } from '../testing/plans.js';
import { type ReplyForm, type ReplyReader, readHere } from './read-reply.js';

const harness = new AttemptHarness();
const server = new A2aServer();
const egress = createEgress({ settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.1/32'] } });
beforeAll(async () => {
  await harness.open();
  await server.open();
  server.reply = () => a2aMessage('5');
});
afterAll(async () => {
  await harness.close();
  await server.close();
});

const limits = { ...DEFAULT_LIMITS, run_timeout_seconds: 20 };

function endpoint(protocol: 'a2a' | 'agentclash'): AttemptPlan {
  const agent: PlannedAgent = { kind: 'endpoint', config: { url: server.url, protocol } };
  return attemptPlan(agent, { mode: 'prompt_eval', limits });
}

function withServer(): AttemptPlan {
  const files = [{ path: 'server.py', artifact: harness.store.add(COMMAND_SERVER) }];
  const math = { name: 'math', command: ['/usr/bin/python3', '/mcp/math/server.py'], files };
  return attemptPlan(
    { kind: 'scripted', config: { steps: [] } },
    {
      limits,
      tool_policy: { allowed_tool_kinds: ['shell', 'file'] },
      tools: { custom: [], workspace: [], allowed: [], denied: [], mcp_servers: [math] },
    },
  );
}

const malformed = {
  outcome: 'agent_error',
  error: { code: 'malformed_reply', message: expect.stringContaining('takes too much time or memory') },
};
const unusable = {
  outcome: 'infra_error',
  error: { code: 'mcp_server', message: expect.stringContaining('takes too much time or memory') },
};

describe('A reply that takes too much to read', () => {
  test.each<[ReplyForm, () => AttemptPlan, object]>([
    ['acp_lines', () => attemptPlan(acpAgent('work'), { limits }), malformed],
    ['a2a', () => endpoint('a2a'), malformed],
    ['endpoint', () => endpoint('agentclash'), malformed],
    ['mcp_lines', withServer, unusable],
  ])('A reply of the form %s that takes too much to read ends its attempt', async (form, planOf, end) => {
    const forms = new Set<ReplyForm>();
    const readReplies: ReplyReader = async (task) => {
      forms.add(task.form);
      return 'overrun';
    };
    const { result } = await harness.run(planOf(), { egress, readReplies });
    expect(result).toMatchObject(end);
    expect([...forms]).toEqual([form]);
    expect(harness.leftovers()).toEqual([]);
  });

  test('A reply that waits for its reader does not outlast the time limit of its attempt', async () => {
    const short = { limits: { ...limits, run_timeout_seconds: 1 } };
    for (const plan of [attemptPlan(acpAgent('work'), short), { ...endpoint('a2a'), ...short }]) {
      const { result } = await harness.run(plan, { egress, readReplies: () => new Promise(() => {}) });
      expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    }
    expect(harness.leftovers()).toEqual([]);
  });

  test('A reply that an agent of ACP has written before its exit is read before its attempt ends', async () => {
    const plan = attemptPlan(acpAgent('goodbye'), { limits });
    const { history, emitted } = harness.record(plan);
    const hasExited = () => emitted.some(({ event_type }) => event_type === 'sandbox.command.completed');
    const readReplies: ReplyReader = async (task, bounds) => {
      if (Buffer.from(task.bytes).includes('stopReason')) await waitFor(hasExited);
      return await readHere(task, bounds);
    };
    const { result } = await harness.run(plan, { egress, readReplies, history });
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'program' });
  });
});
