import { parsePreset } from '@agentclash/agent-presets';
import { DEFAULT_LIMITS } from '@agentclash/attempt-plan';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { acpAgent, acpCommand } from '../testing/acp-agent.js';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { conversationPlan, person, scriptedPhase } from '../testing/conversations.js';
import { attemptPlan } from '../testing/plans.js';
import { FAST_MODEL, modelPortsAt } from '../testing/program-models.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

const limits = { ...DEFAULT_LIMITS, run_timeout_seconds: 20 };
const run = (mode: string, changes: Partial<typeof limits> = {}) =>
  harness.run(attemptPlan(acpAgent(mode), { limits: { ...limits, ...changes } }));

describe('a program of ACP', () => {
  test('a program of ACP works on its task, and its last message is the output', async () => {
    const { result, events } = await run('work');
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'program' });
    const [output] = events.payloads('system.output.finalized');
    expect(output?.final_output).toMatch(/^turn 1 of \d+, 1 parts$/);
    expect(events.payloads('sandbox.command.completed')).toMatchObject([{ exit_code: 0 }]);
    expect(harness.leftovers()).toEqual([]);
  });

  test('a program of ACP has the permissions that it requests, and no files or terminals of the client', async () => {
    const { events } = await run('permission');
    const [output] = events.payloads('system.output.finalized');
    expect(JSON.parse(output?.final_output ?? '')).toEqual([
      { outcome: { outcome: 'selected', optionId: 'yes' } },
      -32_601,
    ]);
  });

  test('a program of ACP that reaches MCP over HTTP has the tools of the pack', async () => {
    const echo = { name: 'echo', implementation: { type: 'mock' as const, response: { received: true } } };
    const tools = { custom: [echo], workspace: [], allowed: [], denied: [] };
    const outputs = await Promise.all(
      ['tools', 'tools-without'].map(async (mode) => {
        const { events } = await harness.run(attemptPlan(acpAgent(mode), { limits, tools }));
        return events.payloads('system.output.finalized')[0]?.final_output;
      }),
    );
    expect(outputs).toEqual(['[["agentclash", "http", "http://127.0.0.1:13131/mcp"]]', '[]']);
  });

  test.each([
    ['refuses', 'refusal', reported('the agent ended its turn with refusal')],
    ['needs a login', 'login', reported('the agent reported the error -32000: Authentication required')],
    ['has another version', 'future', malformed('the version of ACP is not 1')],
    ['exits with 3', 'exit', { outcome: 'agent_error', error: { code: 'exit_nonzero' } }],
    ['exits before its turn ends', 'leave', malformed('the program exited before the end of its turn')],
    ['sends a message without end', 'talk', { outcome: 'limit_reached', limit_kind: 'output' }],
    ['sends a line without end', 'line', { outcome: 'limit_reached', limit_kind: 'output' }],
    ['logs without end', 'noise', { outcome: 'limit_reached', limit_kind: 'output' }],
    ['requests permissions without end', 'greedy', malformed('the program does not read its input')],
    ['forges an end of the attempt', 'forger', malformed('the turn ended without a reason of ACP')],
  ])('a program of ACP that %s ends with its outcome', async (_what, mode, wanted) => {
    const { result } = await run(mode);
    expect(result).toMatchObject(wanted);
  });

  test.each(['deep', 'junk'])(
    'a program of ACP with the lines of mode %s, which are no messages, continues',
    async (mode) => {
      const { result, events } = await run(mode);
      expect(result.outcome).toBe('completed');
      expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output: 'still here' }]);
    },
  );

  test('a program of ACP that does not end its turn ends at its time limit, with its message so far', async () => {
    const { result, events } = await run('silence', { run_timeout_seconds: 2 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(events.payloads('system.output.finalized')).toMatchObject([
      { final_output: 'soon', finished_by: 'none' },
    ]);
    expect(harness.leftovers()).toEqual([]);
  });

  test('a program of ACP that does not exit is killed after its last turn', async () => {
    const startedAt = performance.now();
    const { result, events } = await run('stubborn');
    expect(result.outcome).toBe('completed');
    expect(events.payloads('sandbox.command.failed')).toMatchObject([{ code: 'stopped' }]);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  test('a program of ACP that is not there ends as an error of the agent', async () => {
    const { result } = await harness.run(attemptPlan(acpAgent('work', { command: ['/no/such/agent'] })));
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'exit_nonzero' } });
  });
});

function reported(message: string) {
  return { outcome: 'agent_error', error: { code: 'reported_failure', message } };
}

function malformed(message: string) {
  return { outcome: 'agent_error', error: { code: 'malformed_reply', message } };
}

const MINI = {
  ...{ name: 'mini', title: 'Mini', wires: ['chat'], command: ['/bin/false'] },
  env: { MODEL: '{{model}}' },
  files: { '{{home}}/.mini/settings.json': '{"model":"{{model}}"}' },
};

describe('a conversation with a program of ACP', () => {
  test('a conversation with a program of ACP has one process and one session for all turns', async () => {
    const plan = conversationPlan(acpAgent('work'), [scriptedPhase('open', 'Hi.', 'And?', 'Bye.')]);
    const { result, events } = await harness.run(plan);
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'conversation' });
    const messages = events.payloads('turn.assistant.message').map(({ message }) => message);
    const [, pid] = /^turn 1 of (\d+), 2 parts$/.exec(messages[0] ?? '') ?? [];
    expect(messages.slice(1)).toEqual([`turn 2 of ${pid}, 1 parts`, `turn 3 of ${pid}, 1 parts`]);
    expect(events.payloads('sandbox.command.started')).toHaveLength(1);
    expect(harness.leftovers()).toEqual([]);
  });

  test('A conversation with a preset has one process for all turns, with its files, variables and instructions', async () => {
    const checked = 'test -f ~/.mini/settings.json && test "$MODEL" = real-1 && exec "$@"';
    const acp = { command: ['sh', '-c', checked, 'sh', ...acpCommand('prompt')] };
    const definition = parsePreset(JSON.stringify({ ...MINI, acp }), 'mini.yaml');
    const preset = { definition, instructions: 'Be brief.' };
    const agent = acpAgent('', { command: [], models: FAST_MODEL, preset });
    const plan = conversationPlan(agent, [scriptedPhase('open', 'Hi.', 'And?')]);
    // No turn calls the model.
    const ports = modelPortsAt('http://127.0.0.1:1', { key: 'k', runId: plan.run_id });
    const { result, events } = await harness.run(plan, ports);
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'conversation' });
    const messages = events.payloads('turn.assistant.message').map(({ message }) => message);
    const [, pid] = /^(\d+): Be brief\. \| Hi\.$/.exec(messages[0] ?? '') ?? [];
    expect(messages).toEqual([`${pid}: Be brief. | Hi.`, `${pid}: And?`]);
  });

  test('a conversation with a program of ACP that exits in a turn ends with the messages so far', async () => {
    const plan = conversationPlan(acpAgent('exit'), [scriptedPhase('open', 'Hi.')]);
    const { result } = await harness.run(plan);
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'exit_nonzero' } });
  });

  test('a conversation with a program of ACP and a person ends as an error of the deployment', async () => {
    const plan = conversationPlan(acpAgent('work'), [scriptedPhase('open', 'Hi.'), person()]);
    const { result } = await harness.run(plan);
    expect(result).toMatchObject({
      outcome: 'infra_error',
      error: { code: 'incompatible_deployment', retryable: false },
    });
    expect(harness.leftovers()).toEqual([]);
  });
});
