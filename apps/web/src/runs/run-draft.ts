import type { RunRequest } from '@agentclash/api';
import type { z } from 'zod';
import { readLabels } from './read-labels.js';

/** The state of the run form. */
export interface RunDraft {
  versionId: string;
  /** Empty: the only one. */
  inputSetId: string;
  /** Null before a choice: the default lineup of the pack. */
  deploymentIds: readonly string[] | null;
  /** One key per line; empty: all cases of the input set. */
  cases: string;
  /** The run whose failed cases are run; empty: none. */
  onlyFailedOf: string;
  name: string;
  repetitions: string;
  /** Empty: limited by the workers only. */
  maxConcurrency: string;
  /** One `key=value` per line. */
  labels: string;
  hasRaceContext: boolean;
}

export const EMPTY_DRAFT: RunDraft = {
  versionId: '',
  inputSetId: '',
  deploymentIds: null,
  cases: '',
  onlyFailedOf: '',
  name: '',
  repetitions: '1',
  maxConcurrency: '',
  labels: '',
  hasRaceContext: false,
};

export type DraftReading =
  | { request: z.input<typeof RunRequest> }
  /** The problems of the labels, a sentence each. */
  | { labelProblems: readonly string[] };

/** The request of a draft, without empty members. */
export function readDraft(draft: RunDraft): DraftReading {
  const { versionId, inputSetId, deploymentIds, name, repetitions, maxConcurrency, hasRaceContext } = draft;
  const reading = readLabels(draft.labels);
  if ('problems' in reading) return { labelProblems: reading.problems };
  const { labels } = reading;
  const cases = [...new Set(draft.cases.split('\n').map((key) => key.trim()))].filter((key) => key !== '');
  return {
    request: {
      challenge_pack_version_id: versionId,
      ...(deploymentIds && { deployment_ids: [...deploymentIds] }),
      repetitions: Number(repetitions || 1),
      ...(inputSetId && { challenge_input_set_id: inputSetId }),
      ...(cases.length > 0 && { case_keys: cases }),
      ...(draft.onlyFailedOf.trim() && { only_failed_of: draft.onlyFailedOf.trim() }),
      ...(name.trim() && { name: name.trim() }),
      ...(maxConcurrency && { max_concurrency: Number(maxConcurrency) }),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(hasRaceContext && { race_context: true }),
    },
  };
}
