import { routes } from '@agentclash/api';
import { useAll } from '../../data/use-all.js';
import { useRead } from '../../data/use-read.js';
import { useMay } from '../../session/session.js';
import type { Choice, ChoiceSource } from './form-field.js';

/** The choices of a list of the workspace; undefined while they are unknown, or where the role may not list them. */
export function useChoices(source: ChoiceSource | undefined): readonly Choice[] | undefined {
  const maySecrets = useMay('admin');
  const aliases = useAll(routes.modelAliases.list, {}, { enabled: source === 'model_aliases' });
  const accounts = useAll(routes.providerAccounts.list, {}, { enabled: source === 'provider_accounts' });
  const profiles = useAll(routes.profiles.list, {}, { enabled: source === 'runtime_profiles' });
  const secrets = useRead(routes.secrets.list, {}, { enabled: source === 'secrets' && maySecrets });
  switch (source) {
    case 'model_aliases':
      return aliases.data?.map(({ name, model }) => ({ value: name, name: `${name} (${model})` }));
    case 'provider_accounts':
      return accounts.data?.map(({ id, name, provider_key }) => ({
        value: id,
        name: `${name} (${provider_key})`,
      }));
    case 'runtime_profiles':
      return profiles.data?.map(({ id, name }) => ({ value: id, name }));
    case 'secrets':
      return secrets.data?.items.map(({ key }) => ({ value: `workspace-secret://${key}`, name: key }));
    default:
      return undefined;
  }
}
