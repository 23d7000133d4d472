import { readEvaluationSpec } from '@agentclash/challengepack';
import type { AttemptEvidence } from '@agentclash/grading';
import { longestBlockMs } from '@agentclash/testkit/event-loop';
import { afterEach, describe, expect, test } from '@jest/globals';
import { UntrustedThreads } from './untrusted-threads.js';

const BLOCKED_MS_MAX = 500;
const made: UntrustedThreads[] = [];

afterEach(async () => {
  await Promise.all(made.splice(0).map((each) => each.stop()));
});

function scorer(timeoutMs: number) {
  const opened = new UntrustedThreads({ threads: 1, timeoutMs });
  made.push(opened);
  return opened.scorecardsOf('a', new AbortController().signal);
}

/** RE2 follows 2,000 threads through the text for each of the patterns. */
const SLOW = {
  type: 'string',
  anyOf: Array.from({ length: 40 }, (_, at) => ({ pattern: `a[ab]{1000}[ab]{${950 + at}}[cd]` })),
};
const SPEC = readEvaluationSpec({
  name: 'scored',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [
    {
      ...{ key: 'slow', type: 'json_schema', target: 'final_output' },
      expected_from: `literal:${JSON.stringify(SLOW)}`,
    },
    { key: 'quoted', type: 'starts_with', target: 'final_output', expected_from: 'literal:"' },
  ],
  scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
});

describe('scorecards of audits are computed in threads', () => {
  test('a scorecard is that of spec and evidence', async () => {
    const card = await scorer(60_000)(SPEC, evidence('"c"'), undefined);
    expect(card.validators).toMatchObject([
      { key: 'slow', verdict: 'fail' },
      { key: 'quoted', verdict: 'pass' },
    ]);
  });

  test('a validator that takes too long is an error of its own, and the event loop is free meanwhile', async () => {
    const score = scorer(1_000);
    const output = JSON.stringify('ab'.repeat(100_000) + 'ba'.repeat(100_000));
    const cards: unknown[] = [];
    const blockedMs = await longestBlockMs(async () => {
      cards.push(await score(SPEC, evidence(output), undefined));
    });
    expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
    expect(cards).toMatchObject([
      {
        passed: null,
        validity: 'invalid',
        validators: [
          { key: 'slow', state: 'error', reason: 'resource_limit' },
          { key: 'quoted', verdict: 'pass' },
        ],
      },
    ]);
  });
});

function evidence(final_output: string): AttemptEvidence {
  const occurred_at = '2026-01-01T00:00:00.000Z';
  return {
    attempt: { outcome: 'completed' },
    case: {},
    events: [
      { sequence_number: 1, event_type: 'system.output.finalized', occurred_at, payload: { final_output } },
    ],
  };
}
