import { type FieldProblem, type ProviderAccountSpec } from '@agentclash/contracts';
import { BASE_URLS, type ProviderKey, providerKeyOf } from '@agentclash/domain';

/** A spec whose provider has one spelling. */
export type StoredAccountSpec = Omit<ProviderAccountSpec, 'provider_key'> & { provider_key: ProviderKey };

export function withCanonicalProvider({ provider_key, ...spec }: ProviderAccountSpec): StoredAccountSpec {
  return { ...spec, provider_key: providerKeyOf(provider_key) };
}

/** The contradictions within an account. */
export function accountProblems(spec: StoredAccountSpec): FieldProblem[] {
  return [...connectionProblems(spec), ...pricingProblems(spec), ...listPricesProblems(spec)];
}

/** List prices that do not exist would leave the cost of every call unknown. */
function listPricesProblems({ provider_key, list_prices }: StoredAccountSpec): FieldProblem[] {
  if (list_prices !== true || BASE_URLS[provider_key] !== undefined) return [];
  const message = `must not be true: the provider ${provider_key} has no list prices. Set pricing instead`;
  return [{ code: 'contradiction', field: 'list_prices', message }];
}

function connectionProblems({
  provider_key,
  base_url,
  credential_reference,
}: StoredAccountSpec): FieldProblem[] {
  const isCompatible = provider_key === 'openai_compatible';
  const missing = isCompatible
    ? base_url === undefined && { field: 'base_url', message: `is required for the provider ${provider_key}` }
    : credential_reference === undefined && {
        field: 'credential_reference',
        message: `is required for the provider ${provider_key}: workspace-secret://KEY`,
      };
  return missing ? [{ code: 'required', ...missing }] : [];
}

/** A price that no call of the account can have would silently cost nothing. */
function pricingProblems({ provider_key, pricing }: StoredAccountSpec): FieldProblem[] {
  const models = pricing?.models ?? [];
  return models.flatMap((row, index): FieldProblem[] => {
    const field = `pricing.models.${index}`;
    if (providerKeyOf(row.provider_key) !== provider_key) {
      const message = `must be ${provider_key}, the provider of the account`;
      return [{ code: 'contradiction', field: `${field}.provider_key`, message }];
    }
    const isRepeated = models
      .slice(0, index)
      .some((other) => other.provider_model_id === row.provider_model_id);
    return isRepeated
      ? [{ code: 'not_unique', field: `${field}.provider_model_id`, message: 'is priced twice' }]
      : [];
  });
}
