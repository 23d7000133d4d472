import type { RecordedEvent } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { LaneOutput } from './lane-output.js';

const replied = (position: number, source: string, payload: object) =>
  ({ position, source, event_type: 'model.call.completed', case_key: 'peru', payload }) as RecordedEvent;

test('the tools of a program appear in its lane, those of our loop by their own events only', () => {
  const output = new LaneOutput();
  const tool_calls = [
    { id: 't1', name: 'exec_command', arguments: { cmd: 'ls' } },
    { id: 't2', name: 'apply_patch', arguments: 'x'.repeat(1_000) },
  ];
  output.append(replied(1, 'program_agent', { call_id: 'c1', text: '', tool_calls }));
  output.append(replied(2, 'program_agent', { call_id: 'c2', text: 'Done.', tool_calls }));
  output.append(replied(3, 'native_engine', { call_id: 'c3', text: '', tool_calls }));
  expect(output.tail.map(({ kind, text }) => [kind, text.slice(0, 40), text.length])).toEqual([
    ['tool', 'exec_command {"cmd":"ls"}; apply_patch x', 240],
    ['assistant', 'Done.', 5],
  ]);
});
