import type { RunRequest } from '@agentclash/api';
import type { z } from 'zod';

/** A run as a form holds it. */
export interface RunDraft {
  versionId: string;
  /** Empty: the only one. */
  inputSetId: string;
  deploymentIds: readonly string[];
  name: string;
  repetitions: string;
  /** Empty: as many at once as there are workers. */
  maxConcurrency: string;
  /** One `key=value` a line. */
  labels: string;
  hasRaceContext: boolean;
}

export const EMPTY_DRAFT: RunDraft = {
  versionId: '',
  inputSetId: '',
  deploymentIds: [],
  name: '',
  repetitions: '1',
  maxConcurrency: '',
  labels: '',
  hasRaceContext: false,
};

/** The request that a draft asks for; what is empty is left out. */
export function requestOf(draft: RunDraft): z.input<typeof RunRequest> {
  const { versionId, inputSetId, deploymentIds, name, repetitions, maxConcurrency, hasRaceContext } = draft;
  const labels = readLabels(draft.labels);
  return {
    challenge_pack_version_id: versionId,
    deployment_ids: [...deploymentIds],
    repetitions: Number(repetitions || 1),
    ...(inputSetId && { challenge_input_set_id: inputSetId }),
    ...(name.trim() && { name: name.trim() }),
    ...(maxConcurrency && { max_concurrency: Number(maxConcurrency) }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(hasRaceContext && { race_context: true }),
  };
}

function readLabels(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [key = '', ...value] = line.split('=');
      return [key.trim(), value.join('=').trim()];
    }),
  );
}
