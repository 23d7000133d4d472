import { isDeepStrictEqual } from 'node:util';
import { ContractError, DeploymentSpec, variantConfig, type Warning } from '@agentclash/contracts';
import { isRecord } from '@agentclash/domain';

/** The deployment as each of its variants has it, by name; none without variants. */
export function variantSpecs(spec: DeploymentSpec): [name: string, spec: DeploymentSpec][] {
  const { variants = {}, baseline: _baseline, ...own } = spec;
  return Object.entries(variants).map(([name, variant]) => {
    const config = variantConfig(own.config, variant);
    return [name, DeploymentSpec.parse({ ...own, variants: undefined, config })];
  });
}

/** Variants that are equal to the baseline: their lanes can only differ by chance. */
export function unchangedVariants(spec: DeploymentSpec): Warning[] {
  const specs = variantSpecs(spec);
  const baseline = specs.find(([name]) => name === spec.baseline)?.[1];
  return specs.flatMap(([name, { config }]) =>
    name === spec.baseline || !isDeepStrictEqual(withoutEmpty(config), withoutEmpty(baseline?.config))
      ? []
      : [
          {
            code: 'variant_unchanged',
            message: `The variant "${name}" of "${spec.name}" is equal to its baseline "${spec.baseline}".`,
          },
        ],
  );
}

/** A copy without members that are empty: they change nothing. */
function withoutEmpty(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === '' || value === undefined || (isRecord(value) && Object.keys(value).length === 0);
}

/** An error of a configuration as one of the variant that it comes from. */
export function errorOfVariant(error: unknown, name: string): unknown {
  if (!(error instanceof ContractError)) return error;
  const { code, message, details } = error;
  const { errors = [] } = details;
  return new ContractError(code, `Variant "${name}": ${message}`, {
    ...details,
    errors: errors.map(({ field, ...problem }) => ({
      ...problem,
      field: field.replace(/^config\b/, `variants.${name}`),
    })),
  });
}
