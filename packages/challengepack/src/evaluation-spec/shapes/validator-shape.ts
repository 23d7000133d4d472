import { freeMap } from '../../decode/free.js';
import { type Fields, record } from '../../decode/record.js';
import { optional, required, type Shape } from '../../decode/shape.js';
import { oneOf, text } from '../../decode/text.js';
import { VALIDATOR_REFERENCE } from '../../reference/validator-reference.js';
import { keyText } from '../../shapes/text-forms.js';
import type { AuthoredConfig, AuthoredValidator } from '../authored.js';
import type { ValidatorType } from '../validator-configs.js';
import { VALIDATOR_TYPE_NAMES } from '../validator-types.js';
import { FILE_CONFIGS } from './file-configs.js';
import { taggedRecord } from './tagged-record.js';
import { TEXT_CONFIGS } from './text-configs.js';
import { TOOL_CONFIGS } from './tool-configs.js';

/** The config of every validator type. */
const CONFIG_SHAPES: { readonly [T in ValidatorType]: Shape<AuthoredConfig<T>> } = {
  ...TEXT_CONFIGS,
  ...FILE_CONFIGS,
  ...TOOL_CONFIGS,
};

const SUMMARIES = Object.fromEntries(
  Object.entries(VALIDATOR_REFERENCE).map(([type, { summary }]) => [type, summary]),
) as Record<ValidatorType, string>;

/** A validator whose type and config are not tied together; the table below ties them. */
interface LooseValidator {
  key: string;
  type: ValidatorType;
  target: string;
  expected_from?: string;
  config?: object;
}

function validatorRecord(config: Shape<object>): Shape<LooseValidator> {
  const fields: Fields<LooseValidator> = {
    key: required(keyText(), 'The name of this validator; unique among validators, metrics and judges.'),
    type: required(oneOf(VALIDATOR_TYPE_NAMES, { descriptions: SUMMARIES }), 'How the target is judged.'),
    target: required(text(), 'What is judged: a reference, file:CHECK or tool_calls, as the type needs.'),
    expected_from: optional(text(), 'Where the expected text comes from: a reference, or literal:TEXT.'),
    config: optional(config, 'Settings of this type.'),
  };
  return record(fields);
}

/** One validator, whose config is read according to its type; the config of an unknown type is not examined. */
export const VALIDATOR = taggedRecord<LooseValidator>(
  'type',
  new Map(VALIDATOR_TYPE_NAMES.map((type) => [type, validatorRecord({ ...CONFIG_SHAPES[type] })])),
  validatorRecord({ ...freeMap() }),
) as Shape<AuthoredValidator>;
