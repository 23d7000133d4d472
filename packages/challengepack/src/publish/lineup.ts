import type { DeploymentDefaults } from '../pack/model.js';

/** The lineup of a run that names no deployment. */
export const DEFAULT_LINEUP = 'default';

/**
 * The target of a deployment's name: the selector of the alias, else the name itself. An alias of an alias is not
 * followed.
 */
export function deploymentSelector(defaults: DeploymentDefaults | undefined, name: string): string {
  const { aliases = {} } = defaults ?? {};
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

/** The names in a lineup as they are written; undefined when there is no such lineup. */
export function lineupOf(defaults: DeploymentDefaults | undefined, lineup: string): string[] | undefined {
  const { lineups = {} } = defaults ?? {};
  return Object.hasOwn(lineups, lineup) ? lineups[lineup] : undefined;
}
