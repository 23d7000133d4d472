import type { Run } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';

const AT = '2026-01-01T00:00:00.000Z';

/** A run as the orchestrator returns it. */
export function run(values: Partial<Run> = {}): Run {
  return {
    id: newId(),
    workspace_id: newId(),
    name: null,
    status: 'completed',
    challenge_pack_version_id: newId(),
    evaluation_spec_id: newId(),
    pack: { slug: 'words', name: 'Words', version_number: 1 },
    input_set: { id: newId(), key: 'all' },
    repetitions: 1,
    max_concurrency: null,
    limits: {},
    labels: {},
    warnings: [],
    progress: { total: 0, queued: 0, running: 0, finished: 0, scored: 0, passed: 0, by_outcome: {} },
    created_at: AT,
    created_by: 'tests',
    started_at: null,
    finished_at: null,
    ...values,
  };
}
