import type { GraderPlan, PlannedPhase, ScriptStep } from '@agentclash/attempt-plan';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Clock, systemClock } from '../clock.js';
import { type Attempt, AttemptHarness } from '../testing/attempt-harness.js';
import { conversationPlan, person, scripted, scriptedPhase } from '../testing/conversations.js';
import { graderPlan } from '../testing/plans.js';
import { type GatePorts, phaseGrader } from '../verifier/phase-gate.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

/** The reward is what the agent has left for the phase; nothing is 0. */
const COMMAND = 'cat $AGENTCLASH_PHASE.txt > /tmp/reward.txt || echo 0 > /tmp/reward.txt; touch tested; ls';
const RUN = {
  test_command: COMMAND,
  timeout_ms: 10_000,
  reports: [{ path: '/tmp/reward.txt', format: 'reward' as const }],
};
const CHECK = { validator_key: 'tests', ...RUN };
const VALIDATOR = {
  key: 'tests',
  type: 'code_execution' as const,
  target: '',
  config: { ...RUN, scoring: 'fraction_passed' as const, pass_threshold: 1 },
};

const exec = (script: string): ScriptStep => ({
  call: { name: 'exec', arguments: { command: ['sh', '-c', script] } },
});
const gated = (id: string, min_score?: number, trigger: PlannedPhase['trigger'] = 'on_gate_passed') => ({
  ...scriptedPhase(id, `Do ${id}.`),
  ...(id !== 'one' && { trigger }),
  gate: { validator: 'tests', ...(min_score !== undefined && { min_score }) },
});

async function run(
  phases: PlannedPhase[],
  steps: ScriptStep[],
  { ports = {}, limits = {}, clock }: { ports?: Partial<GatePorts>; limits?: object; clock?: Clock } = {},
): Promise<Attempt & { verifyRest: () => Promise<unknown> }> {
  const plan = conversationPlan(scripted(...steps), phases);
  plan.tool_policy = { allow_shell: true };
  plan.limits = { ...plan.limits, ...limits };
  const gates = phases.flatMap(({ id, gate }) => (gate ? [{ phase_id: id, validator: VALIDATOR }] : []));
  const grader: GraderPlan = graderPlan(plan, { code_executions: [CHECK], gates });
  const score: GatePorts['score'] = async (_validator, { reports = [] }) => Number(reports[0]?.text);
  const attempt = await harness.run(
    plan,
    {
      gradePhase: phaseGrader({
        ...{ plan: async () => grader, score, takeSlot: async () => () => {} },
        ...ports,
      }),
      ...(clock && { clock }),
    },
    [{ message: 'I am a person.' }],
  );
  return { ...attempt, verifyRest: () => attempt.verify(grader) };
}

const graded = ({ events }: Attempt) =>
  events
    .payloads('grader.verification.code_executed')
    .map(({ phase_id, reports }) => [phase_id, reports?.[0]?.text]);
const sent = ({ events }: Attempt) => events.payloads('turn.user.message').map(({ message }) => message);

describe('a phase with a gate', () => {
  test('the next message is sent when the tests of the phase gave enough, and each phase is graded once', async () => {
    const attempt = await run(
      [gated('one', 1), gated('two', 0.5), gated('three')],
      [
        exec('echo 1 > one.txt; sleep 100 &'),
        { message: 'first' },
        exec('echo 0.5 > two.txt; ls > seen'),
        { message: 'second' },
        exec('cat seen; echo 0.25 > three.txt'),
        { message: 'third' },
      ],
    );
    expect(attempt.result).toMatchObject({ outcome: 'completed', finished_by: 'conversation' });
    expect(sent(attempt)).toEqual(['Do one.', 'Do two.', 'Do three.']);
    expect(graded(attempt)).toEqual([
      ['one', '1\n'],
      ['two', '0.5\n'],
      ['three', '0.25\n'],
    ]);
    await attempt.verifyRest();
    expect(graded(attempt)).toHaveLength(3);
    // Nothing of the tests is in the sandbox of the agent, and nothing of one run is in the next.
    const outputs = attempt.events
      .payloads('sandbox.command.completed')
      .map(({ stdout_tail }) => stdout_tail);
    expect(outputs).toContain('one.txt\nseen\ntwo.txt\n');
  });

  test('below the least score the phases that need the gate are left out', async () => {
    const attempt = await run(
      [gated('one', 0.6), gated('two'), scriptedPhase('end', 'Goodbye.')],
      [exec('echo 0.5 > one.txt'), { message: 'first' }, { message: 'bye' }],
    );
    expect(attempt.result.outcome).toBe('completed');
    expect(sent(attempt)).toEqual(['Do one.', 'Goodbye.']);
    expect(attempt.events.payloads('turn.phase.skipped')).toMatchObject([{ phase_id: 'two' }]);
    expect(graded(attempt)).toEqual([['one', '0.5\n']]);
  });

  test('a phase in which the attempt ended is graded at its end', async () => {
    const attempt = await run(
      [gated('one', 1), gated('two')],
      [exec('echo 1 > one.txt'), { message: 'first' }, exec('echo 0.75 > two.txt'), exec('sleep 60')],
      { limits: { run_timeout_seconds: 2 } },
    );
    expect(attempt.result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(graded(attempt)).toEqual([['one', '1\n']]);
    await attempt.verifyRest();
    expect(graded(attempt)).toEqual([
      ['one', '1\n'],
      ['two', '0.75\n'],
    ]);
  });

  test('the time of the tests is none of the agent’s', async () => {
    let waitedMs = 0;
    const takeSlot: GatePorts['takeSlot'] = async () => {
      waitedMs += 3_600_000;
      return () => {};
    };
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + waitedMs };
    const steps = [exec('echo 1 > one.txt'), { message: 'first' }, { message: 'second' }];
    const attempt = await run([gated('one', 1), gated('two')], steps, { ports: { takeSlot }, clock });
    expect(attempt.result.outcome).toBe('completed');
    expect(sent(attempt)).toEqual(['Do one.', 'Do two.']);
  });

  test('a conversation that waited for a person keeps the result of its gate', async () => {
    const attempt = await run(
      [gated('one', 1), person(), gated('two', 0)],
      [exec('echo 1 > one.txt'), { message: 'first' }, { message: 'to you' }, { message: 'second' }],
    );
    expect(sent(attempt)).toEqual(['Do one.', 'I am a person.', 'Do two.']);
    expect(graded(attempt)).toEqual([
      ['one', '1\n'],
      ['two', '0\n'],
    ]);
  });

  test('tests that cannot be run are the platform’s failure, and no result of the agent', async () => {
    const attempt = await run(
      [gated('one', 1), gated('two')],
      [{ message: 'first' }, { message: 'second' }],
      {
        ports: {
          plan: async () => {
            throw new Error('the orchestrator is unavailable');
          },
        },
      },
    );
    expect(attempt.result).toMatchObject({ outcome: 'infra_error', snapshot: null });
    expect(sent(attempt)).toEqual(['Do one.']);
  });
});
