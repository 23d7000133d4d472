import { expect, test } from '@jest/globals';
import { finalOutput, finalOutputPointer } from './resolve.js';
import type { EvidenceEvent } from './types.js';

const event = (sequence_number: number, event_type: string, payload = {}): EvidenceEvent => ({
  sequence_number,
  event_type,
  occurred_at: '2026-01-01T00:00:00.000Z',
  payload,
});

const modelCall = event(3, 'model.call.completed');
const end = event(7, 'system.run.failed');

test('the last finalized output counts', () => {
  const events = [
    event(1, 'system.output.finalized', { final_output: 'first' }),
    event(2, 'system.output.finalized', { final_output: 'last' }),
    modelCall,
  ];
  expect(finalOutput(events)).toBe('last');
  expect(finalOutputPointer(events)).toEqual({ from_sequence: 2, to_sequence: 2 });
});

test('the evidence of a missing output points at the last model call, else at the end, else at nothing', () => {
  expect(finalOutput([modelCall, end])).toBeUndefined();
  expect(finalOutputPointer([modelCall, end])).toEqual({ from_sequence: 3, to_sequence: 3 });
  expect(finalOutputPointer([end])).toEqual({ from_sequence: 7, to_sequence: 7 });
  expect(finalOutputPointer([])).toBeNull();
});
