import { PROVIDER_KEYS } from '@agentclash/domain';
import { choicesOf, type FormField } from './form/form-field.js';

const NAME: FormField = { path: ['name'], label: 'Name', kind: 'text' };

/** The fields of a provider account; its key is a field apart, which no text ever holds. */
export const ACCOUNT_FIELDS: readonly FormField[] = [
  NAME,
  { path: ['provider_key'], label: 'Provider', kind: 'choice', choices: choicesOf(PROVIDER_KEYS) },
  {
    path: ['base_url'],
    label: 'Base URL',
    kind: 'text',
    hint: 'Empty for the address of the provider itself; required for openai_compatible',
  },
  {
    path: ['credential_reference'],
    label: 'Credential',
    kind: 'choice',
    from: 'secrets',
    none: 'none, or the key below',
    hint: 'A secret of the workspace',
  },
  { path: ['limits', 'max_concurrency'], label: 'Calls at once', kind: 'number', hint: 'Empty: 100' },
  {
    path: ['list_prices'],
    label: 'List prices',
    kind: 'choice',
    choices: [
      { value: 'true', name: 'of all models' },
      { value: 'false', name: 'of no model' },
    ],
    none: "where the provider's own address is called",
  },
];

export const ALIAS_FIELDS: readonly FormField[] = [
  NAME,
  { path: ['provider_account_id'], label: 'Provider account', kind: 'choice', from: 'provider_accounts' },
  { path: ['model'], label: 'Model', kind: 'text', hint: 'As the provider names it' },
];
