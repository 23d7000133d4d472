import type { HistoryEvent } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endedBy, LONG_STEP_TYPES, Replay } from './replay.js';

function history(events: readonly [type: string, payload?: Record<string, unknown>][]): HistoryEvent[] {
  return events.map(([event_type, payload = {}], index) => ({
    event_id: '01a2008d-a3b9-70cb-9102-ed85789ea469',
    schema_version: '1',
    run_id: '01a2008d-a3b9-70cb-9102-ed85789ea469',
    sequence_number: index + 1,
    event_type,
    source: 'native_engine',
    occurred_at: new Date(1_000 * index).toISOString(),
    payload,
    summary: {},
  }));
}

function foldReplay(events: readonly HistoryEvent[]) {
  const replay = new Replay(1);
  for (const event of events) replay.apply(event);
  return replay.steps;
}

const shape = (events: HistoryEvent[]) =>
  foldReplay(events).map(({ type, status, step_index, sequence_numbers }) => [
    type,
    status,
    step_index,
    sequence_numbers,
  ]);

describe('a replay', () => {
  test('a replay shows the messages of a model call as its input, also where they were stored separately', () => {
    const messages = [{ role: 'user', text: 'Add 2 and 3.' }];
    const events = history([
      ['model.call.started', { call_id: 'm1', message_count: 1 }],
      ['model.call.messages', { call_id: 'm1', from: 0, messages }],
      ['model.call.completed', { call_id: 'm1', text: '5' }],
      ['model.call.started', { call_id: 'm2', message_count: 3 }],
      ['model.call.messages', { $ref: 'sha256:0', bytes: 9, type: 'model.call.messages' }],
      ['model.call.failed', { call_id: 'm2' }],
    ]);
    expect(shape(events)).toEqual([
      ['model.call', 'completed', null, [1, 2, 3]],
      ['model.call', 'failed', null, [4, 5, 6]],
    ]);
    const [first, second] = foldReplay(events);
    expect(first?.input).toEqual({ call_id: 'm1', message_count: 1, sent: { from: 0, messages } });
    expect(second?.input).toMatchObject({ sent: { $ref: 'sha256:0', bytes: 9 } });
  });

  test('a replay shows no step for the recording of a model call', () => {
    const events = history([
      ['model.call.started', { call_id: 'm1', message_count: 1 }],
      ['model.call.recorded', { call: 1 }],
      ['model.call.completed', { call_id: 'm1', text: '5', served_from: 'replay' }],
    ]);
    expect(shape(events)).toEqual([['model.call', 'completed', null, [1, 3]]]);
  });

  test('a replay shows each scoring as one step, with its metrics behind it', () => {
    const events = history([
      ['system.run.started'],
      ['system.run.completed', { outcome: 'completed' }],
      ['scoring.started', { revision: 1 }],
      ['scoring.metric.recorded', { key: 'tokens', state: 'available', value: 3 }],
      ['scoring.completed', { overall: 1, passed: true, validity: 'valid' }],
      ['scoring.started', { revision: 2 }],
      ['scoring.failed', { code: 'internal', message: 'broken' }],
    ]);
    expect(shape(events)).toEqual([
      ['system.run', 'completed', null, [1, 2]],
      ['scoring', 'completed', null, [3, 5]],
      ['scoring.metric.recorded', 'noted', null, [4]],
      ['scoring', 'failed', null, [6, 7]],
    ]);
  });

  test('a replay joins every start with its end, in the order of the starts', () => {
    const events = history([
      ['system.run.started', { kind: 'model' }],
      ['system.step.started', { step_index: 0 }],
      ['model.call.started', { call_id: 'm1' }],
      ['model.tool_calls.proposed', { call_id: 'm1', tool_calls: [] }],
      ['model.call.completed', { call_id: 'm1', text: 'x' }],
      ['tool.call.started', { tool_call_id: 't1', tool_name: 'run' }],
      ['sandbox.command.started', { command_id: 'c1' }],
      ['sandbox.command.completed', { command_id: 'c1', exit_code: 1 }],
      ['tool.call.failed', { tool_call_id: 't1', duration_ms: 12 }],
      ['system.step.completed', { step_index: 0 }],
      ['system.output.finalized', { final_output: '4' }],
      ['system.run.completed', { outcome: 'completed' }],
    ]);
    expect(shape(events)).toEqual([
      ['system.run', 'completed', null, [1, 12]],
      ['system.step', 'completed', 0, [2, 10]],
      ['model.call', 'completed', 0, [3, 4, 5]],
      ['tool.call', 'failed', 0, [6, 9]],
      ['sandbox.command', 'completed', 0, [7, 8]],
      ['system.output.finalized', 'noted', null, [11]],
    ]);
    expect(foldReplay(events)[3]).toMatchObject({
      duration_ms: 12,
      input: { tool_name: 'run' },
      result: { duration_ms: 12 },
    });
    expect(foldReplay(events)[1]?.duration_ms).toBe(8_000);
  });

  test('a replay leaves steps without an end open, and notes an end without a start', () => {
    const events = history([
      ['tool.call.started', { tool_call_id: 'a' }],
      ['tool.call.completed', { tool_call_id: 'b' }],
    ]);
    expect(shape(events)).toEqual([
      ['tool.call', 'open', null, [1]],
      ['tool.call.completed', 'noted', null, [2]],
    ]);
  });

  test('a step ends once: a second end is a step of its own', () => {
    const tool_call_id = 'a';
    const events = history([
      ['tool.call.started', { tool_call_id }],
      ['tool.call.completed', { tool_call_id }],
      ['tool.call.failed', { tool_call_id }],
    ]);
    expect(shape(events)).toEqual([
      ['tool.call', 'completed', null, [1, 2]],
      ['tool.call.failed', 'noted', null, [3]],
    ]);
  });

  test('an end that was stored separately ends the latest start of its kind', () => {
    const events = history([
      ['model.call.started', { call_id: 'a' }],
      ['tool.call.started', { tool_call_id: 'b' }],
      ['model.call.completed', { $ref: 'sha256:00', bytes: 5_000_000, type: 'model.call.completed' }],
    ]);
    expect(shape(events)).toEqual([
      ['model.call', 'completed', null, [1, 3]],
      ['tool.call', 'open', null, [2]],
    ]);
  });

  test('a reused id belongs to the latest start', () => {
    const call: [string, Record<string, unknown>][] = [
      ['tool.call.started', { tool_call_id: 'a' }],
      ['tool.call.completed', { tool_call_id: 'a' }],
    ];
    expect(shape(history([...call, ...call])).map(([, , , numbers]) => numbers)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  const ENDINGS = ['.started', '.completed', '.failed', ''];
  const BASES = [
    'system.run',
    'system.step',
    'model.call',
    'tool.call',
    'sandbox.command',
    'scoring',
    'constructor',
  ];

  function anyHistory(bases: readonly string[], maxLength: number) {
    const type = fc.constantFrom(
      ...bases.flatMap((base) => ENDINGS.map((ending) => `${base}${ending}`)),
      'model.tool_calls.proposed',
    );
    const id = fc.constantFrom('1', '2', undefined, null);
    const step_index = fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined });
    return fc
      .array(fc.record({ type, id, step_index }), { maxLength, size: 'max' })
      .map((parts) =>
        history(
          parts.map(({ type, id, step_index }) => [
            type,
            { call_id: id, tool_call_id: id, command_id: id, step_index },
          ]),
        ),
      );
  }

  test('a replay is settled only where further events change nothing', () => {
    fc.assert(
      fc.property(
        anyHistory(['system.run', 'tool.call'], 30),
        fc.nat(30),
        fc.nat(3),
        fc.nat(4),
        (events, readSome, after, limit) => {
          const replay = new Replay(1);
          for (const event of events.slice(0, readSome)) replay.apply(event);
          const end = after + limit;
          if (!replay.isSettled(after, end)) return;
          const next = events.slice(readSome).find(({ event_type }) => LONG_STEP_TYPES.includes(event_type));
          const page = replay.steps
            .slice(after, end)
            .map((step) => (next && replay.mayEnd(step) ? endedBy(step, next) : step));
          const whole = foldReplay(events);
          expect(page).toEqual(whole.slice(after, end));
          expect(whole.length).toBeGreaterThan(end);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('a replay has every event in exactly one step, whatever the events', () => {
    fc.assert(
      fc.property(anyHistory(BASES, 60), (events) => {
        const steps = foldReplay(events);
        const numbers = steps.flatMap(({ sequence_numbers }) => sequence_numbers).sort((a, b) => a - b);
        expect(numbers).toEqual(events.map(({ sequence_number }) => sequence_number));
        const firsts = steps.map(({ sequence_numbers }) => sequence_numbers[0] ?? 0);
        expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
        expect(steps.map(({ number }) => number)).toEqual(steps.map((_step, index) => index + 1));
        for (const step of steps) expect(step.status === 'open').toBe(step.finished_at === null);
      }),
    );
  });
});
