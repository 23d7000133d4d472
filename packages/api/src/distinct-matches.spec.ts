import type { TranscriptMatch } from '@agentclash/contracts';
import { expect, test } from '@jest/globals';
import { distinctMatches } from './distinct-matches.js';

const id = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;

function match(sequence_number: number, more: Partial<TranscriptMatch> = {}): TranscriptMatch {
  return {
    ...{ attempt_id: id(1), run_agent_id: id(2), agent_name: 'alpha', case_key: 'malta', repetition: 1 },
    ...{ delivery: 1, sequence_number, event_type: 'model.call.completed' },
    ...{ occurred_at: '2026-11-28T12:00:00.000Z', before: 'I am ', match: 'sorry', after: '' },
    ...more,
  };
}

test('a text that several events of an attempt have is listed once, at the first of them', () => {
  const output = match(9, { event_type: 'system.output.finalized' });
  expect(distinctMatches([match(5), output])).toEqual([match(5)]);
});

test('equal texts of other attempts and deliveries, and texts that differ around the match, are all listed', () => {
  const all = [
    match(5),
    match(5, { attempt_id: id(3) }),
    match(5, { delivery: 2 }),
    match(6, { before: 'We are ' }),
    match(7, { after: '.' }),
    match(8, { match: 'SORRY' }),
  ];
  expect(distinctMatches(all)).toEqual(all);
});
