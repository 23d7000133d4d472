import { routes } from '@agentclash/api';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAll } from '../../data/use-all.js';
import { useRead } from '../../data/use-read.js';
import { useMay } from '../../session/session.js';
import type { Choice, ChoiceSource } from './form-field.js';

/**
 * The choices of a list of the workspace, or 'loading' before the first response; undefined where there is no list,
 * where the role may not read it, and where the read failed.
 */
export function useChoices(source: ChoiceSource | undefined): readonly Choice[] | 'loading' | undefined {
  const maySecrets = useMay('admin');
  const aliases = useAll(routes.modelAliases.list, {}, { enabled: source === 'model_aliases' });
  const accounts = useAll(routes.providerAccounts.list, {}, { enabled: source === 'provider_accounts' });
  const profiles = useAll(routes.profiles.list, {}, { enabled: source === 'runtime_profiles' });
  const secrets = useRead(routes.secrets.list, {}, { enabled: source === 'secrets' && maySecrets });
  switch (source) {
    case 'model_aliases':
      return choicesIn(aliases, (all) =>
        all.map(({ name, model }) => ({ value: name, name: `${name} (${model})` })),
      );
    case 'provider_accounts':
      return choicesIn(accounts, (all) =>
        all.map(({ id, name, provider_key }) => ({ value: id, name: `${name} (${provider_key})` })),
      );
    case 'runtime_profiles':
      return choicesIn(profiles, (all) => all.map(({ id, name }) => ({ value: id, name })));
    case 'secrets':
      return choicesIn(secrets, ({ items }) =>
        items.map(({ key }) => ({ value: `workspace-secret://${key}`, name: key })),
      );
    default:
      return undefined;
  }
}

function choicesIn<T>(
  { data, isLoading }: UseQueryResult<T>,
  choicesOf: (data: T) => readonly Choice[],
): readonly Choice[] | 'loading' | undefined {
  if (data !== undefined) return choicesOf(data);
  return isLoading ? 'loading' : undefined;
}
