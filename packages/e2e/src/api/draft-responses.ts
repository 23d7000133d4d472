import type { ApiDriver, ApiRequest } from './api-driver.js';

interface DraftCalls {
  /** The pack that is stored as a draft, as a request. */
  pack: ApiRequest;
  deployment_id: string;
  /** A run of a published version, which has ended. */
  run_id: string;
  reaches: (params: Record<string, string>, status: string) => Promise<void>;
}

/** Gets the responses that routes of comparisons and gates declare for the run of a draft. */
export async function callDrafts(
  api: ApiDriver,
  { pack, deployment_id, run_id, reaches }: DraftCalls,
): Promise<void> {
  const draft = await api.expect(201, 'packs_publish', { ...pack, query: { draft: 'true' } });
  const started = await api.expect(201, 'runs_create', {
    body: {
      challenge_pack_version_id: draft.body.challenge_pack_version_id,
      deployment_ids: [deployment_id],
    },
  });
  const candidate = started.body.id;
  await reaches({ run_id: candidate }, 'completed');
  await api.expect(409, 'comparisons_compare', { query: { baseline: run_id, candidate } });
  await api.expect(409, 'gates_preview', {
    body: { baseline_run_id: run_id, candidate_run_id: candidate },
  });
}
