const PROVIDER_BY_PREFIX: [prefix: string, provider: string][] = [
  ['claude-', 'anthropic'],
  ['gpt-', 'openai'],
  ['o1', 'openai'],
  ['o3', 'openai'],
  ['o4', 'openai'],
  ['gemini-', 'google'],
  ['grok-', 'xai'],
  ['mistral-', 'mistral'],
];

const ALIAS_PREFIX = 'alias:';

/** The name behind `alias:`, which a workspace resolves when a run is created; undefined for a plain model id. */
export function modelAlias(model: string): string | undefined {
  return model.startsWith(ALIAS_PREFIX) ? model.slice(ALIAS_PREFIX.length) : undefined;
}

/** The provider that serves a model id, inferred from its prefix; undefined for aliases and ids that fit no provider. */
export function providerOfModel(model: string): string | undefined {
  if (modelAlias(model) !== undefined) return undefined;
  const row = PROVIDER_BY_PREFIX.find(([prefix]) => model.startsWith(prefix));
  if (row !== undefined) return row[1];
  return model.includes('/') ? 'openrouter' : undefined;
}

/** One spelling per provider: prices may use `gemini` where models use `google`. */
export function canonicalProvider(providerKey: string): string {
  return providerKey === 'gemini' ? 'google' : providerKey;
}
