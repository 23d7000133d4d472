import type { FieldPath } from '../../decode/field-path.js';
import { schemaTextProblem } from '../../expected/expected-forms.js';
import { type LiteralProblem, tryExpected } from '../../expected/try-expected.js';
import { regexProblem } from '../../text/regex.js';
import type { AuthoredConfig, ValidatorDraft } from '../authored.js';
import { CONFIG_DEFAULTS } from '../defaults.js';
import { fillConfig } from '../fill-config.js';
import type { ValidatorType } from '../validator-configs.js';
import { VALIDATOR_TYPES } from '../validator-types.js';
import { checkReference } from './references.js';
import type { SpecCheck } from './spec-check.js';

/** Checks `expected_from`: whether the type takes one, what it names, and that a literal fits the type. */
export function checkExpected(check: SpecCheck, validator: ValidatorDraft, at: FieldPath): void {
  if (validator.type === undefined) return;
  const expectedAt = at.field('expected_from');
  const text = validator.expected_from;
  const { expectedFrom } = VALIDATOR_TYPES[validator.type];
  if (expectedFrom === 'or_config') checkAlternative(check, validator, at);
  if (expectedFrom === 'required') check.require(text, expectedAt);
  if (text === undefined) return;
  if (expectedFrom === 'forbidden') {
    check.report('contradiction', expectedAt, {
      message: `${validator.type} compares with its config alone`,
    });
  } else if (expectedFrom === 'ignored') {
    check.report('value_ignored', expectedAt, {
      message: `${validator.type} expects nothing from elsewhere`,
    });
  } else {
    const reference = checkReference(check, text, expectedAt);
    if (reference?.kind === 'literal') {
      checkLiteral(check, { type: validator.type, config: validator.config, text: reference.text }, at);
    }
  }
}

function checkAlternative(check: SpecCheck, validator: ValidatorDraft, at: FieldPath): void {
  if (validator.type !== 'trajectory_match') return;
  const configAt = at.field('config');
  if (check.isFaulty(configAt)) return;
  const inConfig = check.isWritten(validator.config?.expected, configAt.field('expected'));
  const elsewhere = check.isWritten(validator.expected_from, at.field('expected_from'));
  if (inConfig === elsewhere) {
    check.report('exactly_one_of', at, { message: 'give either config.expected or expected_from' });
  }
}

interface Literal<T extends ValidatorType> {
  type: T;
  config: AuthoredConfig<T> | undefined;
  text: string;
}

/** Tries a literal out as scoring would read it. */
function checkLiteral<T extends ValidatorType>(check: SpecCheck, literal: Literal<T>, at: FieldPath): void {
  const { type, config, text } = literal;
  if (isConfigFaulty(check, literal, at.field('config'))) return;
  const code = tryExpected({ type, config: fillConfig(type, config), text }, check.mathWork);
  if (code === null) return;
  const message = LITERAL_REASONS[code]?.(text) ?? null;
  check.report(code, at.field('expected_from'), message === null ? {} : { message });
}

/** True when the config of a validator has an error, so that nothing can be read by it. */
export function isConfigFaulty<T extends ValidatorType>(
  problems: { isFaulty(at: FieldPath): boolean },
  { type, config }: { type: T; config: AuthoredConfig<T> | undefined },
  configAt: FieldPath,
): boolean {
  const members = Object.keys({ ...CONFIG_DEFAULTS[type], ...config });
  return [configAt, ...members.map((name) => configAt.field(name))].some((location) =>
    problems.isFaulty(location),
  );
}

const LITERAL_REASONS: { readonly [P in LiteralProblem]?: (text: string) => string | null } = {
  invalid_regex: regexProblem,
  invalid_schema: schemaTextProblem,
};
