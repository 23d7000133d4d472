import type { Attempt, Baseline, Deployment, Pack, Run, RunAgent, Token, Workspace } from '@agentclash/api';

/** A UUID for a small number, so that tests can name resources. */
export function id(number: number): string {
  return `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

export const AT = '2026-01-02T03:04:05.000Z';

export const WORKSPACE: Workspace = { id: id(1), slug: 'default', name: 'Default', created_at: AT };

export function page<Item>(items: Item[], next_cursor: string | null = null) {
  return { items, next_cursor };
}

export function progressOf(more: Partial<Run['progress']> = {}): Run['progress'] {
  const counts = { total: 10, queued: 0, running: 0, finished: 10, scored: 10, graded: 10, passed: 7 };
  return { ...counts, by_outcome: { completed: 10 }, ...more };
}

export const RUN = id(100);

export function runOf(more: Partial<Run> = {}): Run {
  return {
    id: RUN,
    workspace_id: WORKSPACE.id,
    name: 'nightly',
    status: 'completed',
    challenge_pack_version_id: id(200),
    evaluation_spec_id: id(201),
    pack: { slug: 'sums', name: 'Sums', version_number: 3 },
    input_set: { id: id(202), key: 'main' },
    repetitions: 1,
    max_concurrency: null,
    limits: {},
    labels: {},
    warnings: [],
    progress: progressOf(),
    created_at: AT,
    created_by: 'laptop',
    started_at: AT,
    finished_at: AT,
    ...more,
  };
}

export function agentOf(number: number, name: string, more: Partial<RunAgent> = {}): RunAgent {
  return {
    ...{ id: id(number), run_id: RUN, deployment_id: id(number + 1_000), deployment_revision: 1 },
    ...{ name, kind: 'scripted', progress: progressOf(), overall_so_far: 0.7 },
    ...more,
  };
}

export function deploymentOf(number: number, name: string, more: Partial<Deployment> = {}): Deployment {
  return {
    ...{ id: id(number), name, kind: 'scripted', revision: 1, runtime_profile_id: null },
    ...{ config: { steps: [] }, status: 'active', created_at: AT, updated_at: AT },
    ...more,
  };
}

/** A pack with one version, whose id is one higher. */
export function packOf(number: number, slug: string, version: Partial<Pack['versions'][number]> = {}): Pack {
  const counts = { challenges: 1, input_sets: 1, cases: 10, tools: 0 };
  const summary = { slug, number: 1, execution_mode: 'native', ...counts, digest: 'sha256:abc' };
  return {
    ...{ id: id(number), slug, name: slug.toUpperCase(), family: 'demo', description: null, created_at: AT },
    versions: [
      {
        ...{ id: id(number + 1), challenge_pack_id: id(number), slug, name: slug.toUpperCase() },
        ...{
          version_number: 1,
          digest: 'sha256:abc',
          execution_mode: 'native',
          lifecycle_status: 'runnable',
        },
        ...{ evaluation_spec_id: id(number + 2), bundle_artifact_id: null, summary },
        ...{ published_at: AT, published_by: 'laptop' },
        ...version,
      },
    ],
  };
}

export function attemptOf(number: number, more: Partial<Attempt> = {}): Attempt {
  return {
    ...{ id: id(number), run_id: RUN, run_agent_id: id(300), agent_name: 'alpha', case_key: 'peru' },
    ...{ repetition: 1, state: 'finished', delivery: 1, outcome: 'completed', limit_kind: null },
    ...{ finished_by: 'agent', error: null, overall: 0.5, passed: false, validity: 'valid', is_scored: true },
    ...{ tool_call_count: 0, latency_ms: 1_400, started_at: AT, finished_at: AT },
    ...more,
  };
}

export function tokenOf(number: number, name: string, more: Partial<Token> = {}): Token {
  return {
    ...{ id: id(number), name, role: 'member', created_at: AT, created_by: 'laptop' },
    ...{ expires_at: null, last_used_at: null },
    ...more,
  };
}

export function baselineOf(name: string, more: Partial<Baseline> = {}): Baseline {
  return {
    ...{ name, pack: 'sums', input_set: 'main', run_id: id(101), agent_name: null, run_agent_id: null },
    ...{ updated_at: AT, updated_by: 'laptop' },
    ...more,
  } as Baseline;
}
