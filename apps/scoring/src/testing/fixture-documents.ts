import { newId } from '@agentclash/service-kit';

/** When everything of a test happened. */
export const TIME = '2026-01-01T00:00:00.000Z';

export function versionOf(id: string) {
  return {
    ...{ id, challenge_pack_id: id, slug: 'capitals', name: 'Capitals', version_number: 1, digest: 'x' },
    ...{ execution_mode: 'prompt_eval', lifecycle_status: 'runnable', evaluation_spec_id: id },
    ...{ bundle_artifact_id: null, published_at: TIME, published_by: 'test' },
    summary: {
      ...{ slug: null, number: null, execution_mode: null, challenges: null, input_sets: null },
      ...{ cases: null, tools: null, digest: null },
    },
  };
}

export const PACK = {
  ...{
    id: newId(),
    slug: 'capitals',
    name: 'Capitals',
    family: 'trivia',
    description: null,
    created_at: TIME,
  },
};

export const RUN = {
  ...{ name: null, status: 'completed', pack: { slug: 'capitals', name: 'Capitals', version_number: 1 } },
  ...{ input_set: { id: newId(), key: 'default' }, repetitions: 1, max_concurrency: null, limits: {} },
  ...{ labels: {}, warnings: [], created_at: TIME, created_by: 'test', started_at: TIME },
};

export const RESULT = {
  ...{ limit_kind: null, finished_by: 'script', error: null, retry_after_ms: null, last_sequence: 2 },
  ...{
    final_output_bytes: null,
    tool_call_count: 0,
    usage: null,
    cost_usd: null,
    latency_ms: 1,
    snapshot: null,
  },
};

export const STORED_CASE = { position: 0, challenge_key: 'capital', kind: 'payload', document: {} };
