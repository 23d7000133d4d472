import type { Run, RunAgent, RunRequest } from '@agentclash/contracts';
import type { z } from 'zod';

/**
 * The request for a run like another one: of its version, cases, deployments and settings. Deployments run as they are
 * now, so a changed one runs in its newest revision. The run comes from its own route: lists shorten its cases.
 */
export function repeatRequest(run: Run, agents: readonly RunAgent[]): z.input<typeof RunRequest> {
  const variants = [...new Set(agents.flatMap(({ variant }) => variant?.name ?? []))];
  return {
    challenge_pack_version_id: run.challenge_pack_version_id,
    challenge_input_set_id: run.input_set.id,
    deployment_ids: [...new Set(agents.map(({ deployment_id }) => deployment_id))],
    repetitions: run.repetitions,
    labels: run.labels,
    ...(variants.length > 0 && { variants }),
    ...(run.case_subset && { case_keys: run.case_subset.case_keys }),
    ...(run.name !== null && { name: run.name }),
    ...(run.max_concurrency !== null && { max_concurrency: run.max_concurrency }),
    ...(Object.keys(run.limits).length > 0 && { limits: run.limits }),
    ...(run.race_context && { race_context: true }),
    ...(run.race_context_min_step_gap !== undefined && {
      race_context_min_step_gap: run.race_context_min_step_gap,
    }),
    ...(run.model_calls && { model_calls: run.model_calls }),
    ...(run.replay_from !== undefined && { replay_from: run.replay_from }),
    ...(run.stop_when && { stop_when: run.stop_when }),
    ...(run.seed !== undefined && { seed: run.seed }),
  };
}
