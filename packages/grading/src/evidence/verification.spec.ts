import { expect, test } from '@jest/globals';
import { resolveReference } from './resolve.js';
import type { AttemptEvidence } from './types.js';
import { findCapture, findExecutions } from './verification.js';

const events = [
  ['file_captured', { key: 'f', exists: true, content: 'first' }],
  ['file_captured', { key: 'f', exists: true, content: 'second', truncated: true }],
  ['file_captured', { key: 'gone', exists: false }],
  [
    'directory_listed',
    { key: 'tree', path: '/w', exists: true, entries: [{ path: '/w/a', is_dir: false, size: 3 }] },
  ],
  ['code_executed', { validator_key: 'tests', exit_code: null, timed_out: false, report: null }],
].map(([type, payload], at) => ({
  sequence_number: at + 1,
  event_type: `grader.verification.${String(type)}`,
  occurred_at: '2026-01-01T00:00:00.000Z',
  payload: payload as Record<string, unknown>,
}));
const evidence: AttemptEvidence = { attempt: { outcome: 'completed' }, events, case: {} };

test('the last capture counts when a verifier ran twice', () => {
  expect(findCapture(events, 'f')).toMatchObject({
    sequence_number: 2,
    content: 'second',
    isTruncated: true,
  });
});

test('a run that a signal ended has no exit code', () => {
  expect(findExecutions(events, 'tests')).toMatchObject([{ exit_code: null, stdout_tail: '', report: null }]);
  expect(findExecutions(events, 'other')).toEqual([]);
});

test('a file reference is its content, a missing file is due to the agent, and an unknown one is not collected', () => {
  expect(resolveReference('file:f', evidence)).toEqual({
    state: 'resolved',
    text: 'second',
    isTruncated: true,
    pointer: { from_sequence: 2, to_sequence: 2, artifact: 'f' },
  });
  expect(resolveReference('file:gone', evidence)).toMatchObject({ state: 'missing', side: 'agent' });
  expect(resolveReference('file:other', evidence)).toEqual({ state: 'not_collected' });
});

test('a listing is read as its entries in JSON', () => {
  expect(resolveReference('file:tree', evidence)).toMatchObject({ text: '[{"is_dir":false,"path":"/w/a"}]' });
});
