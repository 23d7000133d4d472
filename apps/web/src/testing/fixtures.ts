import type {
  Attempt,
  Baseline,
  Deployment,
  Pack,
  PackVersion,
  Run,
  RunAgent,
  Token,
  Workspace,
} from '@agentclash/api';

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

type Race = NonNullable<Run['race']>;

/** A race of alpha (300) and beta (301) that is decided after 61 of 500 cases. */
export function raceOf(more: Partial<Race> = {}): Race {
  const evidence = { cases: 60, population: 499, missing: 1 };
  const lane = { mean: 0.5, lower: 0.4, upper: 0.6, cases: 60, population: 499, eliminated: null };
  return {
    ...{ goal: 'ranking', metric: 'pass', alpha: 0.05, margin: 0.02, cases: 500, best: [], is_decided: true },
    pairs: [
      {
        ...{ a: id(300), b: id(301), verdict: 'better', difference: 0.3, lower: 0.05, upper: 0.5 },
        ...evidence,
      },
    ],
    lanes: [
      { ...lane, run_agent_id: id(300) },
      { ...lane, run_agent_id: id(301) },
    ],
    ...more,
  };
}

/** The members of a run whose race is decided early. */
export const DECIDED = {
  stop_when: { decided: { goal: 'ranking', metric: 'pass', alpha: 0.05, margin: 0.02 } },
  ...{ seed: 42, stopped: 'decided', race: raceOf() },
  progress: progressOf({ total: 1_000, finished: 122, scored: 122, graded: 120, passed: 70, skipped: 878 }),
} as const satisfies Partial<Run>;

/** The agents of such a run: 61 attempts of each for 11.5 USD. */
export function decidedAgents(): RunAgent[] {
  const progress = progressOf({ total: 500, finished: 61, scored: 61, graded: 60, passed: 35, skipped: 439 });
  const tally = { judged: 60, graded: 60, tokens: 1_200, cost_usd: 11.5 };
  return [agentOf(300, 'alpha', { progress, tally }), agentOf(301, 'beta', { progress, tally })];
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

/** The version of `packOf`. */
export function versionOf(number: number, slug: string, more: Partial<PackVersion> = {}): PackVersion {
  const [version] = packOf(number, slug, more).versions;
  if (version === undefined) throw new Error('the fixture has a version');
  return version;
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
