import { expect, test } from '@jest/globals';
import { toolTrace, workingCalls } from './tool-trace.js';

const events = [
  ['tool.call.started', { tool_name: 'a' }],
  ['tool.call.completed', { tool_name: 'a', arguments: { q: 1 } }],
  ['tool.call.failed', { tool_name: 'b', failure_origin: 'policy' }],
  ['tool.call.completed', { tool_name: 'submit', arguments: null }],
].map(([type, payload], at) => ({
  sequence_number: at + 1,
  event_type: String(type),
  occurred_at: '2026-01-01T00:00:00.000Z',
  payload: payload as Record<string, unknown>,
}));

test('the trace holds every finished call in order', () => {
  expect(toolTrace(events)).toEqual([
    { sequence_number: 2, tool_name: 'a', arguments: { q: 1 }, failed: false, failure_origin: null },
    { sequence_number: 3, tool_name: 'b', arguments: {}, failed: true, failure_origin: 'policy' },
    { sequence_number: 4, tool_name: 'submit', arguments: {}, failed: false, failure_origin: null },
  ]);
});

test('a submit is not counted as a tool call', () => {
  expect(workingCalls(toolTrace(events)).map(({ tool_name }) => tool_name)).toEqual(['a', 'b']);
});
