import type { Deployment, ResponseOutput } from '@agentclash/api';
import { routes } from '@agentclash/api';
import type { DeploymentDefaults } from '@agentclash/challengepack';
import { DEFAULT_LINEUP, deploymentSelector, lineupOf } from '@agentclash/challengepack/lineup';

type Manifest = ResponseOutput<typeof routes.versions.manifest>;

export interface DefaultLineup {
  /** Of the deployments that exist, in the lineup's order. */
  ids: readonly string[];
  /** Names that no active deployment has, as the pack writes them. */
  missing: readonly string[];
}

/** The deployments of a run that names none; undefined when the pack has no default lineup. */
export function defaultLineup(
  manifest: Manifest | undefined,
  deployments: readonly Pick<Deployment, 'id' | 'name'>[],
): DefaultLineup | undefined {
  const { version } = (manifest ?? {}) as { version?: { deployment_defaults?: DeploymentDefaults } };
  const defaults = version?.deployment_defaults;
  const names = lineupOf(defaults, DEFAULT_LINEUP);
  if (!names) return undefined;
  const found = names.map((name) => {
    const selector = deploymentSelector(defaults, name);
    const deployment =
      deployments.find((each) => each.name === selector) ?? deployments.find(({ id }) => id === selector);
    return { name: name === selector ? name : `${selector} (alias ${name})`, id: deployment?.id };
  });
  return {
    ids: [...new Set(found.flatMap(({ id }) => id ?? []))],
    missing: found.filter(({ id }) => id === undefined).map(({ name }) => name),
  };
}
