import { type Deployment, type InputSet, type Run, type RunAgent, routes } from '@agentclash/api';
import { useRead } from '../data/use-read.js';
import type { RunDraft } from './run-draft.js';

/** The run that a replay or another run repeats, with its lanes. */
export interface RecordedRun {
  run: Run;
  lanes: readonly RunAgent[];
}

/** A run by its id; undefined while it is loading, and for an empty id. */
export function useRecordedRun(id: string): RecordedRun | undefined {
  const settings = { enabled: id !== '' };
  const run = useRead(routes.runs.get, { params: { run_id: id } }, settings);
  const agents = useRead(routes.runs.agents, { params: { run_id: id } }, settings);
  return run.data && agents.data && id !== '' ? { run: run.data, lanes: agents.data.items } : undefined;
}

interface Choices {
  deployments: readonly Deployment[];
  inputSets: readonly InputSet[];
}

/** The variants that have no lane in the recorded run. */
export function notRecorded(variants: readonly string[], { lanes }: RecordedRun): string[] {
  const raced = new Set(lanes.map(({ variant }) => variant?.name));
  return variants.filter((name) => !raced.has(name));
}

/** A draft whose unchanged members are those of the recorded run. */
export function likeRecorded(
  draft: RunDraft,
  { run, lanes }: RecordedRun,
  { deployments, inputSets }: Choices,
): RunDraft {
  const raced = new Set(lanes.map(({ deployment_id }) => deployment_id));
  const chosen = draft.deploymentIds ?? deployments.filter(({ id }) => raced.has(id)).map(({ id }) => id);
  const sameSet = inputSets.find(({ key }) => key === run.input_set.key);
  return {
    ...draft,
    inputSetId: draft.inputSetId || (inputSets.length > 1 && sameSet ? sameSet.id : ''),
    deploymentIds: chosen,
    // The failed cases of a run are chosen by it alone.
    cases: draft.cases ?? (draft.onlyFailedOf === '' ? (run.case_subset?.case_keys ?? []).join('\n') : null),
    repetitions: draft.repetitions ?? String(run.repetitions),
  };
}
