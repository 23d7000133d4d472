import { routes } from '@agentclash/api';
import { attempt, attemptStory, events, run, runAgent } from '../factories.js';
import { type FakeApi, FakeProblem } from '../fake-api.js';
import { AT, found, idOf, pageOf } from './known.js';
import { newest } from './packs.js';
import { idle, solver } from './resources.js';
import { CARD, RANKING } from './scores.js';

const LATER = '2026-03-01T12:01:30.000Z';
const PLAN = {
  workspace_id: idOf(1),
  challenge_pack_version_id: newest.id,
  evaluation_spec_id: newest.evaluation_spec_id,
  pack: { slug: 'sums', name: 'Sums', version_number: 2 },
  input_set: { id: idOf(31), key: 'easy' },
  created_by: 'ada',
};
const DONE = {
  ...{ total: 4, queued: 0, running: 0, finished: 4, scored: 4, passed: 2 },
  by_outcome: { completed: 3, infra_error: 1 },
};

const nightly = run({
  ...{ ...PLAN, id: idOf(61), name: 'nightly', status: 'completed' as const, labels: { branch: 'main' } },
  ...{ progress: DONE, started_at: AT, finished_at: LATER },
});
/** A run with a conversation that waits. */
const waiting = run({
  ...{ ...PLAN, id: idOf(62), status: 'running' as const, started_at: AT },
  progress: { ...DONE, running: 1, finished: 3, scored: 3, by_outcome: { completed: 3 } },
});
const RUNS = [waiting, nightly];
const contender = (number: number, name: string, rank: number) => ({
  ...{ id: idOf(number), name, judged: 2, passed: rank === 1 ? 2 : 0, overall_so_far: 1 / rank, rank },
});

const lanes = [
  {
    ...runAgent('solver', 2),
    ...{ id: idOf(71), run_id: nightly.id, deployment_id: solver.id, overall_so_far: 1 },
  },
  {
    ...runAgent('idle', 2),
    ...{ id: idOf(72), run_id: nightly.id, deployment_id: idle.id, overall_so_far: 0.25 },
  },
];
const awaits = {
  ...{ turn_index: 2, phase_id: 'ask', last_message: 'Which one?' },
  deadline_at: '2126-03-01T12:00:00.000Z',
};
const attempts = [
  attempt({ id: idOf(81), run_id: nightly.id, run_agent_id: idOf(71) }),
  attempt({
    ...{ id: idOf(82), run_id: nightly.id, run_agent_id: idOf(72), agent_name: 'idle' },
    ...{ case_key: 'large', overall: 0.25, passed: false },
  }),
  attempt({
    ...{ id: idOf(83), run_id: nightly.id, run_agent_id: idOf(72), agent_name: 'idle', is_scored: true },
    ...{ outcome: 'infra_error', overall: null, passed: null, validity: 'invalid' },
    error: { code: 'worker_lost', message: 'the executor went away', retryable: true },
  }),
];
const parked = attempt({
  ...{
    id: idOf(84),
    run_id: waiting.id,
    run_agent_id: idOf(71),
    state: 'parked' as const,
    outcome: null,
    overall: null,
    passed: null,
  },
  ...{ is_scored: false, finished_at: null, awaits },
});

const story = events(nightly.id, [
  { event_type: 'run.state_changed', payload: { from: 'queued', to: 'running' } },
  ...attemptStory({ id: idOf(71) }, 'small', { passed: true, overall: 1 }),
  ...attemptStory({ id: idOf(72) }, 'large', { passed: false, overall: 0.25 }),
  { event_type: 'run.completed', payload: { status: 'completed' } },
]).map((event, index) => ({
  ...event,
  event_id: idOf(1_000 + index),
  ...(event.attempt_id !== undefined && { attempt_id: idOf(event.run_agent_id === idOf(71) ? 81 : 82) }),
  payload:
    'attempt_id' in event.payload
      ? { ...event.payload, attempt_id: idOf(event.run_agent_id === idOf(71) ? 81 : 82) }
      : event.payload,
}));

const STEPS = [
  {
    ...{ number: 1, type: 'system.run', status: 'completed' as const, source: 'executor', step_index: null },
    ...{ started_at: AT, finished_at: LATER, duration_ms: 90_000, sequence_numbers: [1, 9] },
    ...{ input: { agent_kind: 'scripted' }, result: { outcome: 'completed', final_output: '42' } },
  },
  {
    ...{ number: 2, type: 'tool.call', status: 'completed' as const, source: 'engine', step_index: 1 },
    ...{ started_at: AT, finished_at: AT, duration_ms: 12, sequence_numbers: [3, 4] },
    input: { tool_name: 'read_file', arguments: { path: 'numbers.txt' } },
    result: { tool_name: 'read_file', content: '40 2' },
  },
];

export function offerRuns(api: FakeApi): void {
  type Request = { params: Record<string, string> };
  const runOf = ({ params }: Request) => found(RUNS, ({ id }) => id === params.run_id, 'run');
  const attemptOf = ({ params }: Request) =>
    found([...attempts, parked], ({ id }) => id === params.attempt_id, 'attempt');

  api.on(routes.runs.findIds, ({ query }) => {
    const part = query.get('part') ?? '';
    const matching = (items: readonly { id: string }[]) =>
      items.flatMap(({ id }) => (id.startsWith(part) || id.endsWith(part) ? [id] : []));
    return { runs: matching(RUNS), attempts: matching([...attempts, parked]) };
  });
  api.on(routes.runs.list, ({ query }) =>
    pageOf(
      [{ ...nightly, agents: [contender(71, 'solver', 1), contender(72, 'idle', 2)] }],
      ({ status, name }) =>
        (query.get('status') ?? status) === status &&
        (name ?? '').includes(query.get('q') ?? '') &&
        lanes.some((lane) => lane.name === (query.get('deployment') ?? lane.name)),
    ),
  );
  api.on(routes.runs.create, ({ body }) => {
    refuseUnknown(JSON.parse(body));
    return run({ ...PLAN, id: idOf(63), progress: { ...DONE, queued: 4, finished: 0 } });
  });
  api.on(routes.runs.get, runOf);
  api.on(routes.runs.agents, () => ({ items: lanes }));
  api.on(routes.runs.attempts, ({ params, query }) =>
    pageOf(
      params.run_id === waiting.id ? [parked] : attempts,
      ({ state, outcome }) =>
        (query.get('state') ?? state) === state && (query.get('outcome') ?? outcome) === outcome,
    ),
  );
  api.on(routes.runs.cancel, (request) => ({ ...runOf(request), status: 'cancelled' as const }));
  api.on(routes.runs.remove, () => undefined);
  api.on(routes.runs.pause, (request) => ({ ...runOf(request), status: 'paused' as const }));
  api.on(routes.runs.resume, (request) => ({ ...runOf(request), status: 'running' as const }));
  api.on(routes.runs.retry, (request) => ({ ...runOf(request), status: 'running' as const, retried: 1 }));
  api.lines(routes.runs.events, story);
  api.on(routes.runs.ranking, ({ params }) => ({ run_id: params.run_id ?? '', ...RANKING }));
  api.on(routes.runs.failures, () =>
    pageOf([
      {
        ...{ cluster_key: 'frc_1', run_agent_id: idOf(72), agent_name: 'idle', case_key: 'large' },
        ...{ class: 'agent', code: 'agent.output_incorrect', severity: 'medium', agent_fault: true },
        ...{ failing_keys: ['right'], attempts: 1, attempt_id: idOf(82), runs: 3 },
      },
    ]),
  );
  const rescore = {
    ...{ id: idOf(91), run_id: nightly.id, evaluation_spec_id: idOf(24), state: 'ready' as const },
    ...{ scored: 4, attempts: 4, created_at: AT, created_by: 'ada' },
  };
  api.on(routes.runs.rescore, () => rescore);
  api.on(routes.attempts.get, (request) => ({
    ...attemptOf(request),
    deliveries: [
      { delivery: 1, outcome: 'completed' as const, error: null, started_at: AT, finished_at: LATER },
    ],
    ...{ final_output: '42', snapshot: null, stored_case: { case_key: 'small' } },
  }));
  api.on(routes.attempts.events, () => ({ ...pageOf([]), delivery: 1 }));
  api.on(routes.attempts.replay, ({ params }) => ({
    ...pageOf(STEPS),
    ...{ attempt_id: params.attempt_id ?? '', delivery: 1 },
  }));
  const scorecardOf = (attempt_id: string) => ({
    ...{ attempt_id, state: 'ready' as const, revision: 1, evaluation_spec_id: idOf(24) },
    ...{ spec_hash: null, evidence_hash: null, scored_at: AT, scorecard: CARD, failure: null },
  });
  api.on(routes.attempts.scorecard, ({ params }) => scorecardOf(params.attempt_id ?? ''));
  api.on(routes.runs.scorecards, () =>
    pageOf(attempts.map((each) => ({ attempt: each, scorecard: scorecardOf(each.id) }))),
  );
  api.on(routes.attempts.answer, ({ params, body }) => ({
    ...{ attempt_id: params.attempt_id ?? '', phase_id: 'ask', given_at: AT, given_by: 'ada' },
    ...JSON.parse(body),
  }));
  api.on(routes.attempts.requestPhase, ({ params, body }) => ({
    ...{ attempt_id: params.attempt_id ?? '', requested_at: AT, requested_by: 'ada' },
    ...JSON.parse(body),
  }));
}

/** The pack has no default lineup, and the workspace two deployments. */
function refuseUnknown({
  deployment_ids,
  deployment_names,
}: {
  [member: string]: string[] | undefined;
}): void {
  if (deployment_ids) return;
  if (!deployment_names) {
    throw new FakeProblem({
      status: 422,
      code: 'deployments_required',
      detail: 'The run names no deployment, and the pack has no lineup "default".',
    });
  }
  const at = deployment_names.findIndex((name) => name !== 'solver' && name !== 'idle');
  if (at < 0) return;
  const name = deployment_names[at];
  throw new FakeProblem({
    status: 404,
    code: 'not_found',
    detail: `There is no active deployment or alias "${name}" (did you mean solver?) in this workspace. There are idle, solver.`,
    errors: [
      {
        code: 'not_found',
        field: `deployment_names[${at}]`,
        message: `names no active deployment: "${name}"`,
        suggestion: 'solver',
      },
    ],
  });
}
