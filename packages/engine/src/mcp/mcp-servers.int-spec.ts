import type { AttemptPlan, PlannedAgent, PlannedMcpServer } from '@agentclash/attempt-plan';
import { DEFAULT_LIMITS, plannedSandbox } from '@agentclash/attempt-plan';
import type { JsonObject } from '@agentclash/challengepack';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Attempt, AttemptHarness } from '../testing/attempt-harness.js';
import { conversationPlan, person, scriptedPhase } from '../testing/conversations.js';
import { callingProgram, mcpProgram } from '../testing/mcp-program.js';
import { COMMAND_SERVER } from '../testing/mcp-server.js';
import { attemptPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

/** A server whose code is among its files. */
function commandServer(mode = 'honest', env: Record<string, string> = {}): PlannedMcpServer {
  const files = [{ path: 'server.py', artifact: harness.store.add(COMMAND_SERVER) }];
  return {
    name: 'math',
    command: ['/usr/bin/python3', '/mcp/math/server.py'],
    env: { MODE: mode, ...env },
    files,
  };
}

const scripted = (...calls: [string, JsonObject][]): PlannedAgent => ({
  kind: 'scripted',
  config: { steps: calls.map(([name, args]) => ({ call: { name, arguments: args } })) },
});
const SUM: [string, JsonObject] = ['math__add', { a: 2, b: 3 }];

function planOf(
  agent: PlannedAgent,
  server: PlannedMcpServer,
  changes: Partial<AttemptPlan> = {},
): AttemptPlan {
  return attemptPlan(agent, {
    tool_policy: { allowed_tool_kinds: ['shell', 'file'] },
    tools: { custom: [], workspace: [], allowed: [], denied: [], mcp_servers: [server] },
    ...changes,
  });
}

const run = (server: PlannedMcpServer, ...calls: [string, JsonObject][]) =>
  harness.run(planOf(scripted(...calls), server));

const ends = ({ events }: Attempt) =>
  [...events.payloads('tool.call.completed'), ...events.payloads('tool.call.failed')].map(
    ({ result }) => result,
  );

describe('A server of tools that is a command in the sandbox', () => {
  test('Its tools are listed as evidence and called under the name of the server', async () => {
    const attempt = await run(commandServer(), SUM, ['math__add', { a: 'x' }]);
    const { events, result } = attempt;
    expect(result).toMatchObject({ outcome: 'completed', tool_call_count: 2 });
    expect(events.payloads('tool.server.listed')).toMatchObject([
      {
        server: 'math',
        transport: 'command',
        info: { name: 'adder', version: '3' },
        tools: [{ name: 'add', description: 'Adds.', parameters: { required: ['a', 'b'] } }],
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(events.payloads('tool.call.completed')).toMatchObject([
      {
        tool_name: 'math__add',
        arguments: { a: 2, b: 3 },
        layer: 'mcp',
        resolved_tool: 'math/add',
        kind: 'mcp',
        resolution_chain: [{ name: 'add', layer: 'mcp' }],
        result: { content: '5\n[image]' },
        counted: true,
      },
    ]);
    expect(events.payloads('tool.call.failed')).toMatchObject([
      { error: { code: 'arguments' }, failure_origin: 'arguments' },
    ]);
  });

  test('A program calls its tools by MCP, also where the policy admits no shell', async () => {
    const agent = callingProgram([SUM, ['math__none', {}]]);
    const attempt = await harness.run(
      planOf(agent, commandServer(), { tool_policy: { allowed_tool_kinds: ['file'] } }),
    );
    const [output] = attempt.events.payloads('system.output.finalized');
    expect(JSON.parse(output?.final_output ?? '')).toMatchObject([
      { isError: false, result: { content: '5\n[image]' } },
      { isError: true, result: { code: 'policy' } },
    ]);
    const names = mcpProgram('print(json.dumps([tool["name"] for tool in tools()]))');
    const listed = await harness.run(planOf(names, commandServer()));
    expect(listed.events.payloads('system.output.finalized')).toMatchObject([
      { final_output: '["math__add"]\n' },
    ]);
  });

  test('Without the shell an agent of ours is not given its tools, and the list shows the reason', async () => {
    const attempt = await harness.run(
      planOf(scripted(SUM), commandServer(), { tool_policy: { allowed_tool_kinds: ['file'] } }),
    );
    expect(attempt.events.payloads('tool.server.listed')).toEqual([
      { server: 'math', transport: 'command', not_admitted: 'shell', tools: [] },
    ]);
    expect(attempt.events.payloads('tool.call.failed')).toMatchObject([{ error: { code: 'policy' } }]);
    expect(attempt.events.payloads('sandbox.command.started')).toEqual([]);
  });

  test('A denied name is not offered, and limits of calls hold', async () => {
    const narrowing = { denied_tools: ['math__add'] };
    const denied = await harness.run(planOf(scripted(SUM), commandServer(), { narrowing }));
    expect(denied.events.payloads('tool.call.failed')).toMatchObject([{ error: { code: 'policy' } }]);
    const limits = { ...DEFAULT_LIMITS, run_timeout_seconds: 30, max_tool_calls: 1 };
    const limited = await harness.run(planOf(scripted(SUM, SUM, SUM), commandServer(), { limits }));
    expect(limited.result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'tool_calls' });
  });

  test('A long result is stored in the workspace, and the agent receives a preview', async () => {
    const attempt = await run(commandServer('honest', { REPLY: 'line\n'.repeat(20_000) }), SUM);
    expect(ends(attempt)).toMatchObject([
      { content: { truncated: true, full_output_path: expect.stringContaining('.agentclash/spill/') } },
    ]);
  });

  test('A server that sends requests of its own is replied to and works', async () => {
    expect(ends(await run(commandServer('talks'), SUM))).toEqual([{ content: '5\n[image]' }]);
  });

  test('The server has ended with the attempt', async () => {
    const { events } = await run(commandServer(), SUM);
    expect(events.payloads('sandbox.command.completed')).toMatchObject([{ exit_code: 0 }]);
  });
});

describe('A hostile server of tools', () => {
  test.each([
    ['exits', 'the command ended with 1: module docs is missing'],
    ['bad utf-8', 'a line is no message of JSON-RPC in UTF-8'],
    ['deep', 'a line is no message of JSON-RPC in UTF-8'],
    ['endless line', 'a message has more than 4.0 MiB'],
    ['crowd', 'it lists more than 128 tools'],
    ['pages', 'its list has more than 16 pages'],
    ['twice', 'it lists the tool "add" twice'],
    ['bad name', 'it lists a tool whose name is not 1 to 58 of A to Z, a to z, digits, _ and -'],
    ['long', 'its tool "add" has no description of a length that is allowed'],
    ['no schema', 'its tool "add" has no schema'],
    ['unknown', 'the server replied with an error: unknown'],
  ])('A server in the mode "%s" ends the attempt at its first delivery', async (mode, reason) => {
    const attempt = await run(commandServer(mode), SUM);
    expect(attempt.result).toMatchObject({
      outcome: 'infra_error',
      error: {
        code: 'mcp_server',
        message: `the MCP server "math" cannot be used: ${reason}`,
        retryable: false,
      },
    });
    expect(attempt.events.payloads('tool.call.started')).toEqual([]);
    expect(harness.errors.splice(0)).toHaveLength(1);
  });

  test.each([
    ['killed', 'the command ended with 137'],
    ['busy', 'the server replied with an error: busy'],
  ])('A server in the mode "%s" may succeed in another delivery', async (mode, reason) => {
    const { result } = await run(commandServer(mode), SUM);
    expect(result.error).toMatchObject({
      code: 'mcp_server',
      message: `the MCP server "math" cannot be used: ${reason}`,
      retryable: true,
    });
    harness.errors.splice(0);
  });

  test.each([
    ['huge reply', 'mcp_too_large'],
    ['deep reply', 'mcp_malformed'],
    ['dies', 'mcp_unreachable'],
    ['fails', 'mcp_tool_error'],
  ])('A server in the mode "%s" gives a tool error, and the attempt continues', async (mode, code) => {
    const attempt = await run(commandServer(mode), SUM, ['list_files', {}]);
    expect(attempt.result).toMatchObject({ outcome: 'completed' });
    expect(attempt.events.payloads('tool.call.failed')).toMatchObject([{ error: { code } }]);
    expect(attempt.events.payloads('tool.call.completed')).toMatchObject([{ tool_name: 'list_files' }]);
  });

  test('A call that stalls ends with the time of the attempt', async () => {
    const limits = { ...DEFAULT_LIMITS, run_timeout_seconds: 2 };
    const attempt = await harness.run(planOf(scripted(SUM), commandServer('stalls'), { limits }));
    expect(attempt.events.payloads('tool.call.failed')).toMatchObject([{ error: { code: 'mcp_timeout' } }]);
  });

  test.each(['notifies', 'changes later'])(
    'A list that changes (%s) ends the attempt at its first delivery',
    async (mode) => {
      const { result } = await run(commandServer(mode), SUM);
      expect(result).toMatchObject({
        outcome: 'infra_error',
        error: {
          code: 'mcp_tools_changed',
          message: 'the tools of the MCP server "math" changed during the attempt',
          retryable: false,
        },
      });
      harness.errors.splice(0);
    },
  );

  test.each([
    ['honest', 'completed'],
    ['changes after a wait', 'infra_error'],
  ])('A person is waited for without the server, which is listed again (%s)', async (mode, outcome) => {
    const steps = [{ message: 'one' }, { call: { name: SUM[0], arguments: SUM[1] } }, { message: 'two' }];
    const phases = [scriptedPhase('open', 'Hi.'), person(), scriptedPhase('close', 'Thanks.')];
    const plan = conversationPlan({ kind: 'scripted', config: { steps } }, phases);
    const { tool_policy, tools } = planOf(plan.agent, commandServer(mode));
    const { result, events } = await harness.run({ ...plan, tool_policy, tools }, {}, [
      { message: 'Continue.' },
    ]);
    expect(result.outcome).toBe(outcome);
    expect(events.payloads('tool.server.listed')).toHaveLength(2);
    const ends = events.payloads('sandbox.command.completed').map(({ exit_code }) => exit_code);
    expect(ends).toEqual([0, 0]);
    if (outcome === 'infra_error') expect(result.error?.code).toBe('mcp_tools_changed');
    harness.errors.splice(0);
  });

  test('A tool of the pack under the name of a tool of a server ends the attempt', async () => {
    const custom = [{ name: 'math__add', implementation: { type: 'mock' as const, response: 1 } }];
    const tools = { custom, workspace: [], allowed: [], denied: [], mcp_servers: [commandServer()] };
    const { result } = await harness.run(planOf(scripted(SUM), commandServer(), { tools }));
    expect(result).toMatchObject({ outcome: 'infra_error', error: { code: 'not_unique', retryable: false } });
    harness.errors.splice(0);
  });

  test('No server leaves a process, a file or a sandbox behind', () => {
    expect(harness.leftovers()).toEqual([]);
    expect(plannedSandbox().network_access).toBe(false);
  });
});
