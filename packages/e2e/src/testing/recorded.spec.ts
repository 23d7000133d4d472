import { describe, expect, test } from '@jest/globals';
import { historyProblems, type Recorded } from './recorded.js';

const history = (...types: string[]): Recorded[] =>
  types.map((event_type, index) => ({
    attempt_id: 'a',
    delivery: 1,
    sequence_number: index + 1,
    position: index + 1,
    event_type,
    payload: { tool_call_id: 't1' },
  }));

describe('the problems of a recorded history', () => {
  test('a whole history has no problems', () => {
    const types = ['system.run.started', 'tool.call.started', 'tool.call.failed', 'system.run.completed'];
    expect(historyProblems(history(...types))).toEqual([]);
  });

  test('a gap, an open start and a second end are problems', () => {
    const [first, , third] = history('system.run.started', 'x', 'system.run.completed');
    expect(historyProblems([first, third].filter((event) => event !== undefined))).toHaveLength(1);
    expect(historyProblems(history('tool.call.started'))).toEqual([
      'a delivery 1: tool.call t1 has not ended',
    ]);
    expect(
      historyProblems(history('tool.call.started', 'tool.call.failed', 'tool.call.completed')),
    ).toHaveLength(1);
  });
});

test('a delivery that was lost before its first event has only its failure', () => {
  const failure = {
    attempt_id: 'a',
    delivery: 1,
    sequence_number: 1,
    position: 1,
    event_type: 'system.run.failed',
    payload: {},
  };
  expect(historyProblems([failure])).toEqual([]);
  const step = { ...failure, event_type: 'system.step.started', payload: { step_index: 1 } };
  const late = { ...failure, sequence_number: 2 };
  expect(historyProblems([step, late])).toHaveLength(2);
});
