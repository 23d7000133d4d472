import { randomUUID } from 'node:crypto';
import type {
  Attempt,
  Deployment,
  InputSet,
  Pack,
  PackVersion,
  Progress,
  RecordedEvent,
  Run,
  RunAgent,
} from '@agentclash/api';

const AT = '2026-03-01T12:00:00.000Z';

function progress(total: number, values: Partial<Progress> = {}): Progress {
  return { total, queued: total, running: 0, finished: 0, scored: 0, passed: 0, by_outcome: {}, ...values };
}

export function packVersion(values: Partial<PackVersion> = {}): PackVersion {
  return {
    id: randomUUID(),
    challenge_pack_id: randomUUID(),
    slug: 'sums',
    name: 'Sums',
    version_number: 1,
    digest: 'sha256:00',
    execution_mode: 'native',
    lifecycle_status: 'runnable',
    evaluation_spec_id: randomUUID(),
    bundle_artifact_id: null,
    summary: {
      slug: 'sums',
      number: 1,
      execution_mode: 'native',
      challenges: 1,
      input_sets: 1,
      cases: 2,
      tools: 0,
      digest: 'sha256:00',
    },
    published_at: AT,
    published_by: 'test',
    ...values,
  };
}

export function pack(versions: PackVersion[]): Pack {
  return {
    id: randomUUID(),
    slug: 'sums',
    name: 'Sums',
    family: 'arithmetic',
    description: null,
    created_at: AT,
    versions,
  };
}

export function inputSet(key: string, values: Partial<InputSet> = {}): InputSet {
  return {
    id: randomUUID(),
    key,
    name: key,
    description: null,
    challenge_key: 'sum',
    case_count: 2,
    ...values,
  };
}

export function deployment(name: string, values: Partial<Deployment> = {}): Deployment {
  return {
    id: randomUUID(),
    name,
    kind: 'scripted',
    revision: 1,
    runtime_profile_id: null,
    config: {},
    status: 'active',
    created_at: AT,
    updated_at: AT,
    ...values,
  };
}

export function run(values: Partial<Run> = {}): Run {
  return {
    id: randomUUID(),
    workspace_id: randomUUID(),
    name: null,
    status: 'queued',
    challenge_pack_version_id: randomUUID(),
    evaluation_spec_id: randomUUID(),
    pack: { slug: 'sums', name: 'Sums', version_number: 1 },
    input_set: { id: randomUUID(), key: 'default' },
    repetitions: 1,
    max_concurrency: null,
    limits: {},
    labels: {},
    warnings: [],
    progress: progress(2),
    created_at: AT,
    created_by: 'test',
    started_at: null,
    finished_at: null,
    ...values,
  };
}

export function runAgent(name: string, total: number): RunAgent {
  return {
    id: randomUUID(),
    run_id: randomUUID(),
    deployment_id: randomUUID(),
    deployment_revision: 1,
    name,
    kind: 'scripted',
    progress: progress(total),
    overall_so_far: null,
  };
}

export function attempt(values: Partial<Attempt> = {}): Attempt {
  return {
    id: randomUUID(),
    run_id: randomUUID(),
    run_agent_id: randomUUID(),
    agent_name: 'solver',
    case_key: 'small',
    repetition: 1,
    state: 'finished',
    delivery: 1,
    outcome: 'completed',
    limit_kind: null,
    finished_by: 'script',
    error: null,
    overall: 1,
    passed: true,
    validity: 'valid',
    is_scored: true,
    tool_call_count: 2,
    latency_ms: 1_234,
    started_at: AT,
    finished_at: AT,
    ...values,
  };
}

/** Events with positions from 1, a second apart. */
export function events(
  runId: string,
  drafts: readonly (Partial<RecordedEvent> & Pick<RecordedEvent, 'event_type'>)[],
): RecordedEvent[] {
  return drafts.map((draft, index) => ({
    event_id: randomUUID(),
    schema_version: '1',
    run_id: runId,
    sequence_number: index + 1,
    source: 'orchestrator',
    occurred_at: new Date(Date.parse(AT) + index * 1_000).toISOString(),
    payload: {},
    summary: {},
    position: index + 1,
    ...draft,
  }));
}

/** The events of one attempt from its start to its scorecard. */
export function attemptEvents(
  lane: Pick<RunAgent, 'id'>,
  caseKey: string,
  verdict: { passed: boolean | null; overall: number | null; outcome?: string },
): (Partial<RecordedEvent> & Pick<RecordedEvent, 'event_type'>)[] {
  const { outcome = 'completed', ...scored } = verdict;
  const attemptId = randomUUID();
  const of = { run_agent_id: lane.id, attempt_id: attemptId, delivery: 1, case_key: caseKey, repetition: 1 };
  const isCompleted = outcome === 'completed';
  return [
    { ...of, event_type: 'attempt.state_changed', payload: { from: 'queued', to: 'running' } },
    { ...of, event_type: 'system.step.started', payload: { step_index: 1 } },
    { ...of, event_type: 'tool.call.started', payload: { tool_name: 'read_file' } },
    { ...of, event_type: 'tool.call.completed', payload: { tool_name: 'read_file' } },
    {
      ...of,
      event_type: isCompleted ? 'system.run.completed' : 'system.run.failed',
      payload: {
        outcome,
        usage: { input: 100, output: 20, total: 120 },
        cost_usd: 0.01,
        ...(!isCompleted && {
          error: { code: 'x', message: 'it broke', retryable: false },
          will_retry: false,
        }),
      },
    },
    { ...of, event_type: 'attempt.state_changed', payload: { from: 'verifying', to: 'finished' } },
    {
      event_type: 'run.attempt_scored',
      run_agent_id: lane.id,
      payload: { attempt_id: attemptId, ...scored, validity: 'valid' },
    },
  ];
}
