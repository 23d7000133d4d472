/** The kinds of words of a command line whose values the server knows. */
export type ValueKind =
  | 'artifact'
  | 'attempt'
  | 'baseline'
  | 'deployment'
  | 'gate_policy'
  | 'input_set'
  | 'model_alias'
  | 'pack'
  | 'provider_account'
  | 'retry_choice'
  | 'run'
  | 'run_agent'
  | 'runtime_profile'
  | 'secret'
  | 'token'
  | 'tool'
  | 'variant'
  | 'webhook'
  | 'workspace';

/** Values of options, in any position. */
const OPTIONS: Readonly<Record<string, readonly ValueKind[]>> = {
  '--account': ['provider_account'],
  '--attempt': ['attempt'],
  '--baseline': ['baseline'],
  '--credential': ['secret'],
  '--deployment': ['deployment'],
  '--deployments': ['deployment'],
  '--input-set': ['input_set'],
  '--only': ['retry_choice', 'attempt'],
  '--pack': ['pack'],
  '--policy': ['gate_policy'],
  '--run': ['run'],
  '--variant': ['variant'],
  '--workspace': ['workspace'],
};

/** Options of one command that mean something else there. */
const OPTIONS_OF_COMMANDS: Readonly<Record<string, readonly ValueKind[]>> = {
  'eval plan --baseline': ['run_agent'],
  'eval start --baseline': ['run_agent'],
  'run start --baseline': ['run_agent'],
};

/** Arguments by the words of their command, or of the group that it belongs to, and their name. */
const ARGUMENTS: Readonly<Record<string, readonly ValueKind[]>> = {
  'artifact id': ['artifact'],
  'baseline name': ['baseline'],
  'baseline run': ['run'],
  'challenge-pack slug': ['pack'],
  'compare baseline': ['baseline', 'run'],
  'compare candidate': ['run'],
  'deployment name': ['deployment'],
  'eval run': ['run'],
  'gate candidate': ['run'],
  'gate-policy name': ['gate_policy'],
  'model-alias name': ['model_alias'],
  'provider-account name': ['provider_account'],
  'replay attempt': ['attempt'],
  'run attempt': ['attempt'],
  'run run': ['run'],
  'runtime-profile name': ['runtime_profile'],
  'secret key': ['secret'],
  'token token': ['token'],
  'tool name': ['tool'],
  'webhook webhook': ['webhook'],
};

const FILES = new Set(['--file', '--output', '--data', '--junit', '--markdown', 'file', 'files', 'path']);

export function kindsOfOption(path: readonly string[], long: string): readonly ValueKind[] {
  return OPTIONS_OF_COMMANDS[[...path, long].join(' ')] ?? OPTIONS[long] ?? [];
}

export function kindsOfArgument([group = '']: readonly string[], name: string): readonly ValueKind[] {
  return ARGUMENTS[`${group} ${name}`] ?? [];
}

/** True when it is the name of a file: an option's long name, or an argument's. */
export function isFile(name: string): boolean {
  return FILES.has(name);
}
