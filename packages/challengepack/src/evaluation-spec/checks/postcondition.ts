import type { FieldPath } from '../../decode/field-path.js';
import { compileJsonPath } from '../../expected/json-path.js';
import { compileRegex } from '../../expected/regex.js';
import type { ConfigDraft } from '../authored.js';
import type { PostconditionConfig } from '../validator-configs.js';
import type { SpecCheck } from './spec-check.js';

type Field = 'value' | 'json_path';

/** What each condition takes beside itself; what it needs of that is required when it is decoded. */
const TAKES: Record<PostconditionConfig['condition'], readonly Field[]> = {
  exists: [],
  not_exists: [],
  contains: ['value'],
  not_contains: ['value'],
  regex_match: ['value'],
  equals: ['value'],
  json_path_match: ['value', 'json_path'],
};

/** A postcondition has no field that its condition does not read, and a readable pattern or path. */
export function checkPostcondition(
  check: SpecCheck,
  config: ConfigDraft<'postcondition'>,
  at: FieldPath,
): void {
  const { condition, value, json_path: path } = config;
  if (condition === undefined) return;
  for (const field of ['value', 'json_path'] as const) {
    if (config[field] === undefined || TAKES[condition].includes(field)) continue;
    check.report('contradiction', at.field(field), { message: `${condition} takes no ${field}` });
  }
  if (condition === 'regex_match' && typeof value === 'string' && compileRegex(value) === null) {
    check.report('invalid_regex', at.field('value'));
  }
  if (condition === 'json_path_match' && path !== undefined && compileJsonPath(path) === null) {
    check.report('malformed', at.field('json_path'), { message: 'this is not a JSONPath (RFC 9535)' });
  }
}
