const HOMES_BY_RECORD: Record<string, readonly string[]> = {
  '': ['modality', 'interface_spec', 'scenario', 'tools', 'challenges', 'input_sets', 'security'],
  version: [
    'execution_mode',
    'tool_policy',
    'filesystem',
    'sandbox',
    'deployment_defaults',
    'evaluation_spec',
  ],
  'version.tool_policy': ['allowed_tool_kinds', 'allow_shell', 'allow_network'],
  'version.sandbox': [
    'network_access',
    'network_allowlist',
    'env_vars',
    'additional_packages',
    'sandbox_template_id',
  ],
  'version.evaluation_spec': [
    'judge_mode',
    'validators',
    'metrics',
    'behavioral',
    'llm_judges',
    'post_execution_checks',
    'runtime_limits',
    'pricing',
    'scorecard',
  ],
  'input_sets[].cases[]': ['user_simulator'],
};

/** By key: the only place where it means something. Dropping one of these elsewhere would change what a pack does. */
const HOMES: ReadonlyMap<string, string> = new Map(
  Object.entries(HOMES_BY_RECORD).flatMap(([record, keys]) =>
    keys.map((key): [string, string] => [key, record === '' ? key : `${record}.${key}`]),
  ),
);

/** Where a key unknown to its record belongs, if it has a home. */
export function homeOf(key: string): string | undefined {
  return HOMES.get(key);
}
