import { RUN_STATUSES } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { type AgentCounts, noCounts } from './progress.js';
import { runAgentStatus } from './run-agent-state.js';

const counts = (changes: Partial<AgentCounts>): AgentCounts => ({ ...noCounts(), ...changes });
const completed = (number: number) => ({ byOutcome: { ...noCounts().byOutcome, completed: number } });

const LIFE: [string, AgentCounts][] = [
  ['queued', counts({ queued: 3 })],
  ['running', counts({ queued: 2, running: 1 })],
  ['running', counts({ queued: 2, ...completed(1) })],
  ['running', counts({ running: 1, ...completed(2), scored: 2, usable: 2 })],
  ['scoring', counts(completed(3))],
  ['scoring', counts({ ...completed(3), scored: 2, usable: 2 })],
  ['completed', counts({ ...completed(3), scored: 3, usable: 1 })],
  // Without an overall, such as one that gates alone decide.
  ['completed', counts({ ...completed(3), scored: 3, usable: 1, graded: 0 })],
  ['failed', counts({ ...completed(3), scored: 3 })],
  ['failed', counts({ ...completed(3), scored: 3, graded: 1 })],
];
const EVERYWHERE = RUN_STATUSES.flatMap((run) => LIFE.map(([status, at]) => ({ run, status, at })));

describe('an agent of a run', () => {
  test.each(EVERYWHERE)('in a run that is $run is $status by its own attempts, else cancelled', (row) => {
    expect(runAgentStatus(row.at, row.run)).toBe(row.run === 'cancelled' ? 'cancelled' : row.status);
  });
});
