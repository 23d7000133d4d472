import type { AttemptEvent } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AttemptEvents } from './attempt-events.js';

const identity = {
  run_id: 'r',
  run_agent_id: 'a',
  attempt_id: 't',
  delivery: 1,
  case_key: 'c',
  repetition: 1,
};
const interrupted = { code: 'cancelled', message: 'the attempt was cancelled' };

function history(options: { redact?: <T>(value: T) => T; lastSequence?: number; eventsMax?: number } = {}) {
  const emitted: AttemptEvent[] = [];
  const events = new AttemptEvents({
    identity,
    source: 'scripted_agent',
    evidenceLevel: 'native_structured',
    clock: { now: () => Date.UTC(2026, 0, 1), monotonic: () => 5 },
    emit: (event) => emitted.push(event),
    redact: options.redact ?? ((value) => value),
    lastSequence: options.lastSequence,
    eventsMax: options.eventsMax,
  });
  return { events, emitted, types: () => emitted.map((event) => event.event_type) };
}

const command = { argv: ['true'], cwd: '/workspace', timeout_ms: 1, origin: 'tool' as const };

describe('history of an attempt', () => {
  test('events are numbered from 1 without a gap; live deltas have no number', () => {
    const { events, emitted } = history();
    events.record('system.step.started', { step_index: 0 });
    events.record('model.output.delta', { call_id: 'm', kind: 'text', text: 'hi' });
    events.record('system.step.completed', { step_index: 0, tool_call_count: 0, duration_ms: 1 });
    expect(emitted.map((event) => event.sequence_number)).toEqual([1, undefined, 2]);
    expect(events.lastSequence).toBe(2);
  });

  test('a history continues after the events of an earlier try', () => {
    const { events, emitted } = history({ lastSequence: 41 });
    events.record('grader.verification.failed', { stage: 'restore', code: 'timeout', message: 'm' });
    expect(emitted[0]?.sequence_number).toBe(42);
  });

  test('an interrupted attempt closes its open activities, innermost first', () => {
    const { events, types } = history();
    events.record('system.step.started', { step_index: 3 });
    events.record('tool.call.started', {
      tool_call_id: 'x',
      tool_name: 'exec',
      arguments: {},
      step_index: 3,
    });
    events.record('sandbox.command.started', { command_id: 'k', ...command });
    events.closeOpen(interrupted);
    expect(types().slice(3)).toEqual(['sandbox.command.failed', 'tool.call.failed', 'system.step.completed']);
  });

  test('an ended activity is not closed again', () => {
    const { events, types } = history();
    events.record('sandbox.command.started', { command_id: 'k', ...command });
    events.record('sandbox.command.failed', { command_id: 'k', code: 'timeout', message: 'm' });
    events.closeOpen(interrupted);
    events.closeOpen(interrupted);
    expect(types()).toEqual(['sandbox.command.started', 'sandbox.command.failed']);
  });

  test('every start has exactly one end, however starts and ends interleave', () => {
    const operation = fc.record({ id: fc.integer({ min: 0, max: 4 }), ends: fc.boolean() });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const { events, emitted } = history();
        const live = new Set<number>();
        for (const { id, ends } of operations) {
          if (ends === live.has(id)) {
            if (ends)
              events.record('sandbox.command.failed', { command_id: `${id}`, code: 'c', message: 'm' });
            else events.record('sandbox.command.started', { command_id: `${id}`, ...command });
            if (ends) live.delete(id);
            else live.add(id);
          }
        }
        events.closeOpen(interrupted);
        const count = (type: string) => emitted.filter((event) => event.event_type === type).length;
        expect(count('sandbox.command.failed')).toBe(count('sandbox.command.started'));
      }),
    );
  });

  test('an event names its source: the sandbox, the engine that plays the user, or the agent', () => {
    const { events, emitted } = history();
    const turn = { turn_index: 0, message: 'hi' };
    events.record('sandbox.command.started', { command_id: 'k', ...command });
    events.record('turn.user.message', { ...turn, phase_id: 'p', actor: 'scripted' });
    events.record('turn.assistant.message', turn);
    expect(emitted.map(({ source }) => source)).toEqual(['sandbox', 'multi_turn_engine', 'scripted_agent']);
  });

  test('a full history calls back once, and still records the ends of open activities', () => {
    const { events, types } = history({ eventsMax: 2 });
    let calls = 0;
    events.whenFull(() => {
      calls += 1;
    });
    events.record('system.step.started', { step_index: 0 });
    expect([events.isFull, calls]).toEqual([false, 0]);
    events.record('sandbox.command.started', { command_id: 'k', ...command });
    expect([events.isFull, calls]).toEqual([true, 1]);
    events.closeOpen(interrupted);
    expect([types().length, calls]).toEqual([4, 1]);
  });

  test('a history that is full when it resumes has to end at once', () => {
    const { events } = history({ lastSequence: 2, eventsMax: 2 });
    let calls = 0;
    events.whenFull(() => {
      calls += 1;
    });
    expect(calls).toBe(1);
  });

  test('a payload is redacted before anyone sees it', () => {
    const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('s3cret', '[redacted:K]'));
    const { events, emitted } = history({ redact });
    events.record(
      'policy.violation',
      { rule: 'r', detail: 'sent s3cret' },
      { summary: { status: 's3cret' } },
    );
    expect(JSON.stringify(emitted)).not.toContain('s3cret');
  });

  test('ids of events are UUIDv7 of their time', () => {
    const { events, emitted } = history();
    events.record('system.step.started', { step_index: 0 });
    expect(emitted[0]?.event_id).toMatch(/^019b76da-a800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(emitted[0]?.occurred_at).toBe('2026-01-01T00:00:00.000Z');
  });
});
