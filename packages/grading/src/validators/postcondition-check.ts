import {
  compileRegex,
  type Expected,
  equalsAtPath,
  type JsonPathAssertion,
  type PostconditionConfig,
  type Regex,
} from '@agentclash/challengepack';

/** A postcondition with its expression or path compiled. */
export type PostconditionCheck =
  | { readonly condition: 'exists' | 'not_exists' }
  | { readonly condition: 'contains' | 'not_contains'; readonly value: string }
  | { readonly condition: 'regex_match'; readonly regex: Regex }
  | { readonly condition: 'equals'; readonly value: unknown }
  | { readonly condition: 'json_path_match'; readonly assertion: JsonPathAssertion };

export function readPostcondition(config: PostconditionConfig): Expected<PostconditionCheck> {
  switch (config.condition) {
    case 'exists':
    case 'not_exists':
      return { ok: true, value: { condition: config.condition } };
    case 'contains':
      return { ok: true, value: { condition: 'contains', value: config.value } };
    case 'not_contains':
      if (config.value === '') return { ok: false, problem: 'empty_expected' };
      return { ok: true, value: { condition: 'not_contains', value: config.value } };
    case 'equals':
      return { ok: true, value: { condition: 'equals', value: config.value } };
    case 'regex_match': {
      const regex = compileRegex(config.value);
      return regex === null
        ? { ok: false, problem: 'invalid_regex' }
        : { ok: true, value: { condition: 'regex_match', regex } };
    }
    case 'json_path_match': {
      const assertion = equalsAtPath(config.json_path, config.value);
      return assertion === null
        ? { ok: false, problem: 'invalid_expected' }
        : { ok: true, value: { condition: 'json_path_match', assertion } };
    }
  }
}
