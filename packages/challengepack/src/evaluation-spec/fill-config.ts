import type { AuthoredConfig } from './authored.js';
import { CONFIG_DEFAULTS, OLDER_TOLERANCE, PIPELINE_DEFAULT } from './defaults.js';
import { harnessRun } from './harness.js';
import type { PostconditionConfig, ValidatorConfigs, ValidatorType } from './validator-configs.js';

type Fill<T extends ValidatorType> = (authored: AuthoredConfig<T>) => ValidatorConfigs[T];

/** Types whose config has members of several spellings, or a form that depends on one of them. */
const SPECIAL_FILLS: { readonly [T in ValidatorType]?: Fill<T> } = {
  normalized_match: ({ pipeline, normalizations }) => ({
    pipeline: pipeline ?? normalizations ?? [...PIPELINE_DEFAULT],
  }),
  numeric_match: fillTolerances,
  postcondition: fillPostcondition,
  code_execution: fillTestRun,
  trajectory_match: ({ expected, ...rest }) => ({
    ...CONFIG_DEFAULTS.trajectory_match,
    ...rest,
    ...(expected && { expected: [...expected] }),
  }),
};

/** The config of a validator with every default filled in. */
export function fillConfig<T extends ValidatorType>(
  type: T,
  authored: AuthoredConfig<T> | undefined,
): ValidatorConfigs[T] {
  const written = authored ?? ({} as AuthoredConfig<T>);
  const special = SPECIAL_FILLS[type];
  // Spreading a default and an authored config of one type gives that type's config, which the compiler cannot follow.
  return special ? special(written) : ({ ...CONFIG_DEFAULTS[type], ...written } as ValidatorConfigs[T]);
}

function fillTolerances(authored: AuthoredConfig<'numeric_match'>): ValidatorConfigs['numeric_match'] {
  const { tolerance_mode, tolerance, ...rest } = authored;
  const filled = { ...CONFIG_DEFAULTS.numeric_match, ...rest };
  if (tolerance_mode === undefined && tolerance === undefined) return filled;
  const amount = tolerance ?? OLDER_TOLERANCE.tolerance;
  const mode = tolerance_mode ?? OLDER_TOLERANCE.tolerance_mode;
  return { ...filled, [`${mode}_tolerance` as const]: amount };
}

function fillTestRun({
  harness,
  test_command = '',
  ...rest
}: AuthoredConfig<'code_execution'>): ValidatorConfigs['code_execution'] {
  const run = harness ? harnessRun(harness) : { test_command };
  return { ...CONFIG_DEFAULTS.code_execution, ...rest, ...run };
}

function fillPostcondition({
  condition,
  value = null,
  json_path = '',
}: AuthoredConfig<'postcondition'>): PostconditionConfig {
  switch (condition) {
    case 'exists':
    case 'not_exists':
      return { condition };
    case 'contains':
    case 'not_contains':
    case 'regex_match':
      return { condition, value: String(value) };
    case 'equals':
      return { condition, value };
    case 'json_path_match':
      return { condition, value, json_path };
  }
}
