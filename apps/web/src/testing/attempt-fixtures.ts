import { type ReplayStep, routes } from '@agentclash/api';
import type { FakeServer, SentRequest } from './fake-server.js';
import { AT, attemptOf, id, page, runOf } from './fixtures.js';

export const ATTEMPT = id(400);
export const PEER = id(401);

/** An attempt of alpha with its evidence. */
export const FULL = {
  ...attemptOf(400),
  deliveries: [],
  final_output: 'Lima',
  snapshot: { sha256: 'abc', bytes: 4_096 },
  stored_case: { kind: 'payload', document: { country: 'Peru' } },
};

/** A page of events in which a file was captured, by the paths and texts of the files. */
export function capturesOf(files: Readonly<Record<string, string>>, next_cursor: string | null = null) {
  const items = Object.entries(files).map(([path, content], index) => ({
    ...{ event_id: id(900 + index), schema_version: '1' as const, run_id: id(100) },
    ...{ sequence_number: 20 + index, event_type: 'grader.verification.file_captured' },
    ...{ source: 'grader_verification' as const, occurred_at: AT, summary: {} },
    payload: { key: path, path, exists: true, bytes: content.length, truncated: false, content },
  }));
  return { ...page(items, next_cursor), delivery: 1 };
}

/** The members of a stored scorecard. */
export const STORED = {
  ...{ revision: 1, evaluation_spec_id: null, spec_hash: null, evidence_hash: null, scored_at: null },
  failure: null,
};
const NO_CARD = { state: 'pending' as const, ...STORED, revision: null, scorecard: null };

/** A step of a replay with two events. */
export function step(number: number, type: string, more: Partial<ReplayStep> = {}): ReplayStep {
  return {
    ...{ number, type, status: 'completed', source: 'worker_engine', step_index: number, started_at: AT },
    ...{
      finished_at: AT,
      duration_ms: 5,
      sequence_numbers: [2 * number, 2 * number + 1],
      input: null,
      result: null,
    },
    ...more,
  };
}

export const STEPS = [
  step(1, 'model.call', {
    result: { text: 'I read the\nfile.' },
    input: { sent: { messages: [{ role: 'user', text: 'Capital of Peru?' }] } },
  }),
  step(2, 'tool.call', {
    status: 'failed',
    input: { tool_name: 'read_file' },
    result: { error: { message: 'no such file' } },
  }),
  step(3, 'sandbox.file.listed', { result: { path: 'notes' } }),
];

/** A page of a replay. */
export const replayOf = (
  attempt_id: string,
  items: readonly ReplayStep[],
  next_cursor: string | null = null,
) => ({
  ...page([...items], next_cursor),
  ...{ attempt_id, delivery: 1 },
});

/** Serves an attempt of alpha and one of beta, without a scorecard. Returns the requests for steps. */
export function serveAttempts(server: FakeServer): readonly SentRequest[] {
  server.on(routes.attempts.get, ({ params }) =>
    params.attempt_id === PEER ? { ...FULL, id: PEER, agent_name: 'beta', final_output: 'Quito' } : FULL,
  );
  server.on(routes.runs.attempts, page([FULL, { ...FULL, id: PEER, agent_name: 'beta' }]));
  server.on(routes.runs.get, runOf());
  server.on(routes.versions.manifest, {});
  server.on(routes.attempts.events, capturesOf({}));
  server.on(routes.attempts.scorecard, ({ params }) => ({ ...NO_CARD, attempt_id: params.attempt_id ?? '' }));
  return server.on(routes.attempts.replay, ({ params, query }) => {
    if (params.attempt_id === PEER)
      return replayOf(PEER, [step(1, 'model.call', { result: { text: 'Quito!' } })]);
    return query.cursor === undefined
      ? replayOf(ATTEMPT, STEPS.slice(0, 2), 'next')
      : replayOf(ATTEMPT, STEPS.slice(2));
  });
}
