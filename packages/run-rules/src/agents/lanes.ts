import { nearestName } from '@agentclash/challengepack';
import { ContractError, type Deployment, type LaneVariant, variantConfig } from '@agentclash/contracts';
import type { Warning } from '../problems/admission-problem.js';

/** A deployment as one lane of a run has it: as it is, or as one of its variants. */
export interface Lane {
  deployment: Deployment;
  variant?: LaneVariant;
}

const LANES_MAX = 64;

/**
 * The lanes of a run: all variants of each deployment, or the chosen ones, in the order of the deployment. Fails with
 * `not_found` for a variant that no deployment has, and with `invalid_input` for a deployment that has none of the chosen
 * ones, for too many lanes, and for two lanes of one name.
 */
export function lanesOf(deployments: readonly Deployment[], chosen?: readonly string[]): Lane[] {
  if (chosen) refuseUnknown(deployments, chosen);
  const lanes = deployments.flatMap((deployment) => lanesOfDeployment(deployment, chosen));
  if (lanes.length > LANES_MAX) {
    const message = `The run would have ${lanes.length} lanes; at most ${LANES_MAX} are possible. Choose some of the variants.`;
    throw new ContractError('invalid_input', message, {
      errors: [{ code: 'out_of_range', field: 'variants', message: 'leave too many lanes' }],
    });
  }
  const names = lanes.map(({ deployment }) => deployment.name);
  const again = names.find((name, index) => names.indexOf(name) < index);
  if (again === undefined) return lanes;
  throw new ContractError('invalid_input', `Two lanes of the run would have the name "${again}".`, {
    errors: [{ code: 'not_unique', field: 'variants', message: 'a variant and a deployment have one name' }],
  });
}

function lanesOfDeployment(deployment: Deployment, chosen: readonly string[] | undefined): Lane[] {
  const { name, config, variants, baseline } = deployment;
  if (variants === undefined || baseline === undefined) return [{ deployment }];
  const taken = Object.entries(variants).filter(([variant]) => chosen?.includes(variant) ?? true);
  if (taken.length === 0) {
    const has = Object.keys(variants).join(', ');
    throw new ContractError(
      'invalid_input',
      `The deployment "${name}" has none of the chosen variants; it has ${has}.`,
      { errors: [{ code: 'unknown_value', field: 'variants', message: `"${name}" has none of them` }] },
    );
  }
  return taken.map(([variant, changes]) => ({
    deployment: { ...deployment, name: laneName(name, variant), config: variantConfig(config, changes) },
    variant: { deployment: name, name: variant, baseline },
  }));
}

function laneName(deployment: string, variant: string): string {
  return `${deployment} (${variant})`;
}

function refuseUnknown(deployments: readonly Deployment[], chosen: readonly string[]): void {
  const known = [...new Set(deployments.flatMap(({ variants = {} }) => Object.keys(variants)))];
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const has = known.length === 0 ? 'have no variants' : `have the variants ${known.join(', ')}`;
  const named = unknown.map((name) => `"${name}"`).join(', ');
  throw new ContractError('not_found', `There is no variant ${named}: the deployments ${has}.`, {
    errors: unknown.map((name) => {
      const suggestion = nearestName(name, known);
      return {
        code: 'not_found',
        field: `variants[${chosen.indexOf(name)}]`,
        message: `names no variant: "${name}"`,
        ...(suggestion !== undefined && { suggestion }),
      };
    }),
  });
}

/** Deployments whose variants race without their baseline. */
export function baselineWarnings(lanes: readonly { variant?: LaneVariant | undefined }[]): Warning[] {
  const variants = lanes.flatMap(({ variant }) => variant ?? []);
  const without = variants.filter(
    ({ deployment, baseline }) =>
      !variants.some((each) => each.deployment === deployment && each.name === baseline),
  );
  const named = new Map(without.map(({ deployment, baseline }) => [deployment, baseline]));
  return [...named].map(([deployment, baseline]) => ({
    code: 'baseline_not_chosen',
    message: `The baseline "${baseline}" of "${deployment}" is not part of the run: its variants are compared with nothing.`,
  }));
}
