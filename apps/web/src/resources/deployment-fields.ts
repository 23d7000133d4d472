import { DEPLOYMENT_KINDS, ENDPOINT_PROTOCOLS, PROGRAM_PROTOCOLS } from '@agentclash/domain';
import { choicesOf, type FormField } from './form/form-field.js';
import type { SpecDocument } from './form/spec-document.js';

const NAME: FormField = { path: ['name'], label: 'Name', kind: 'text' };
const KIND: FormField = {
  path: ['kind'],
  label: 'Kind',
  kind: 'choice',
  choices: choicesOf(DEPLOYMENT_KINDS),
  hint: 'Another kind has other settings: those of this one are removed',
  clears: ['config'],
};
const PROFILE: FormField = {
  path: ['runtime_profile_id'],
  label: 'Runtime profile',
  kind: 'choice',
  from: 'runtime_profiles',
  none: 'none: the default limits',
};

const ALIAS: FormField = {
  path: ['config', 'model_alias'],
  label: 'Model alias',
  kind: 'choice',
  from: 'model_aliases',
  none: 'none: an account and a model',
};
/** The model without an alias. */
const ACCOUNT_AND_MODEL: readonly FormField[] = [
  {
    path: ['config', 'provider_account_id'],
    label: 'Provider account',
    kind: 'choice',
    from: 'provider_accounts',
  },
  { path: ['config', 'model'], label: 'Model', kind: 'text', hint: 'As the provider names it' },
];
const OF_MODEL: readonly FormField[] = [
  { path: ['config', 'policy_spec', 'system_prompt'], label: 'System prompt', kind: 'long-text' },
  { path: ['config', 'sampling', 'temperature'], label: 'Temperature', kind: 'number', hint: '0 to 2' },
  { path: ['config', 'sampling', 'max_output_tokens'], label: 'Max output tokens', kind: 'number' },
  {
    path: ['config', 'sampling', 'reasoning_effort'],
    label: 'Reasoning effort',
    kind: 'text',
    hint: 'As the provider names it, such as low or high',
  },
];

const COMMAND: FormField = {
  path: ['config', 'command'],
  label: 'Command',
  kind: 'lines',
  hint: 'One argument a line; no shell is around it',
};
const PRESET: FormField = {
  path: ['config', 'preset'],
  label: 'Coding agent',
  kind: 'text',
  hint: 'A preset, as agentclash agents list names it; empty for a command of your own',
};
const MAIN_MODEL: FormField = {
  path: ['config', 'models', 'main'],
  label: 'Model of the program',
  kind: 'choice',
  from: 'model_aliases',
  none: 'none',
};
const OF_PRESET: readonly FormField[] = [
  {
    path: ['config', 'models', 'small'],
    label: 'Small model of the program',
    kind: 'choice',
    from: 'model_aliases',
    none: 'none',
  },
  { path: ['config', 'instructions'], label: 'Instructions', kind: 'long-text', hint: 'Its AGENTS.md' },
];
const PROGRAM_PROTOCOL: FormField = {
  path: ['config', 'protocol'],
  label: 'Protocol',
  kind: 'choice',
  choices: choicesOf(PROGRAM_PROTOCOLS),
  none: 'the default, agentclash',
};

const OF_ENDPOINT: readonly FormField[] = [
  { path: ['config', 'url'], label: 'URL', kind: 'text', hint: 'The task is sent to it by a POST request' },
  {
    path: ['config', 'protocol'],
    label: 'Protocol',
    kind: 'choice',
    choices: choicesOf(ENDPOINT_PROTOCOLS),
    none: 'the default, agentclash',
  },
  {
    path: ['config', 'credential_reference'],
    label: 'Credential',
    kind: 'choice',
    from: 'secrets',
    none: 'none',
    hint: 'A secret of the workspace (workspace-secret://KEY), sent as Authorization: Bearer',
  },
];

/** The fields of a deployment, by its kind and by what it has already. */
export function deploymentFields(spec: SpecDocument): readonly FormField[] {
  return [NAME, KIND, ...fieldsOfKind(spec), PROFILE];
}

function fieldsOfKind(spec: SpecDocument): readonly FormField[] {
  const has = (...path: string[]) => spec.valueAt(['config', ...path]) !== undefined;
  switch (spec.valueAt(['kind'])) {
    case 'model':
      return has('model_alias') ? [ALIAS, ...OF_MODEL] : [ALIAS, ...ACCOUNT_AND_MODEL, ...OF_MODEL];
    case 'program':
      // A preset may be a document, which no text field shows.
      if (typeof spec.valueAt(['config', 'preset']) === 'object') return [MAIN_MODEL, ...OF_PRESET];
      if (has('preset') && !has('command')) return [PRESET, MAIN_MODEL, ...OF_PRESET, PROGRAM_PROTOCOL];
      return has('command') && !has('preset')
        ? [COMMAND, MAIN_MODEL, PROGRAM_PROTOCOL]
        : [PRESET, COMMAND, MAIN_MODEL, PROGRAM_PROTOCOL];
    case 'endpoint':
      return OF_ENDPOINT;
    default:
      return [];
  }
}
