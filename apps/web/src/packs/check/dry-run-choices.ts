import type { Deployment, ResponseOutput, routes } from '@agentclash/api';
import { EXECUTION_MODES, kindProblem } from '@agentclash/domain';
import { defaultLineup } from '../../runs/default-lineup.js';

type Manifest = ResponseOutput<typeof routes.versions.manifest>;
type Candidate = Pick<Deployment, 'id' | 'name' | 'kind'>;

export interface DryRunChoices {
  /** Those that can run the pack first. */
  choices: readonly { id: string; name: string; problem: string | undefined }[];
  /** Chosen from the start: the first of the pack's own lineup, else the only one that can run it; empty for none. */
  first: string;
}

/** The deployments for a dry run of a draft. Without its manifest none is known to be unable to run it. */
export function dryRunChoices(
  manifest: Manifest | undefined,
  deployments: readonly Candidate[],
): DryRunChoices {
  const { version } = (manifest ?? {}) as { version?: { execution_mode?: string } };
  const mode = EXECUTION_MODES.find((known) => known === version?.execution_mode);
  const all = deployments.map(({ id, name, kind }) => ({
    ...{ id, name },
    problem: mode && kindProblem(kind, mode),
  }));
  const able = all.filter(({ problem }) => problem === undefined);
  const lineup = defaultLineup(manifest, deployments)?.ids ?? [];
  const first = lineup.find((id) => able.some((each) => each.id === id));
  return {
    choices: [...able, ...all.filter(({ problem }) => problem !== undefined)],
    first: first ?? (able.length === 1 ? (able[0]?.id ?? '') : ''),
  };
}
