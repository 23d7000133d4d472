import { list } from '../../decode/collections.js';
import { freeMap } from '../../decode/free.js';
import { boolean, integer } from '../../decode/numbers.js';
import { type Fields, record } from '../../decode/record.js';
import { optional, required, type Shape } from '../../decode/shape.js';
import { orText } from '../../decode/shorthand.js';
import { choice, oneOf, text } from '../../decode/text.js';
import { keyText } from '../../decode/text-forms.js';
import { ARGUMENT_CHOICES, ORDER_CHOICES, TRAJECTORY_CHOICES } from '../../reference/choices.js';
import { VALIDATOR_REFERENCE } from '../../reference/validator-reference.js';
import type { AuthoredConfig, AuthoredToolCall, AuthoredValidator } from '../authored.js';
import { CONFIG_DEFAULTS } from '../defaults.js';
import type { ValidatorType } from '../validator-configs.js';
import { VALIDATOR_TYPE_NAMES, VALIDATOR_TYPES } from '../validator-types.js';
import { config, configText, flag } from './config-fields.js';
import { FILE_CONFIGS } from './file-configs.js';
import { taggedRecord } from './tagged-record.js';
import { TEXT_CONFIGS } from './text-configs.js';

const { tool_call_assertion, trajectory_match } = CONFIG_DEFAULTS;

const count = () => integer({ min: 0 });

const step = orText<AuthoredToolCall>(
  'tool_name',
  record<AuthoredToolCall>({
    tool_name: required(configText(), 'The tool that is called.'),
    arguments: optional(freeMap(), 'The arguments that the call is compared with.'),
  }),
);

/** The configs of the types that judge the attempt's tool calls. */
const TOOL_CONFIGS = {
  tool_call_assertion: config<'tool_call_assertion'>({
    tool_name: optional(configText(), 'The tool whose calls count; default: every tool.'),
    must_call: optional(boolean(), 'Whether a call is needed; false forbids it.'),
    count: optional(count(), 'The exact number of calls.'),
    min_count: optional(count(), 'The least number of calls.'),
    max_count: optional(count(), 'The largest number of calls.'),
    arguments_contain: optional(
      freeMap(),
      'The fragment that the arguments of a call must contain for it to count.',
    ),
    ordered_tools: optional(list(configText()), 'Tools that must be called in this order.'),
    order_mode: optional(choice(ORDER_CHOICES), 'Whether other calls may come between.', {
      default: tool_call_assertion.order_mode,
    }),
  }),
  trajectory_match: config<'trajectory_match'>({
    mode: optional(choice(TRAJECTORY_CHOICES), 'How calls and steps are matched.', {
      default: trajectory_match.mode,
    }),
    expected: optional(list(step), 'The expected steps: names, or names with arguments.', {
      keepEmpty: true,
    }),
    arguments: optional(choice(ARGUMENT_CHOICES), 'How arguments are compared.', {
      default: trajectory_match.arguments,
    }),
    include_failed: flag(false, 'Whether failed calls count.'),
  }),
};

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
  target?: string;
  expected_from?: string;
  when?: string;
  expect?: boolean;
  config?: object;
}

/** The declaration of the target of a type. */
type Presence = typeof required | typeof optional;

function validatorRecord(config: Shape<object>, presence: Presence): Shape<LooseValidator> {
  const fields: Fields<LooseValidator> = {
    key: required(keyText(), 'The name of this validator; unique among validators, metrics and judges.'),
    type: required(oneOf(VALIDATOR_TYPE_NAMES, { descriptions: SUMMARIES }), 'How the target is judged.'),
    target: presence(
      text(),
      'The judged value: a reference, file:CHECK or tool_calls, as the type needs; only code_execution may lack it.',
    ),
    expected_from: optional(text(), 'Where the expected text comes from: a reference, or literal:TEXT.'),
    when: optional(
      text(),
      'A part of the case, such as case.expectations.KEY: the validator judges only cases that have it.',
    ),
    expect: optional(
      boolean(),
      'false: it passes an output that does not meet the expectation; no output meets neither.',
    ),
    config: optional(config, 'Settings of this type.'),
  };
  return record(fields);
}

/** One validator, whose config is read according to its type; the config of an unknown type is not examined. */
export const VALIDATOR = taggedRecord<LooseValidator>(
  'type',
  new Map(
    VALIDATOR_TYPE_NAMES.map((type) => {
      const presence = VALIDATOR_TYPES[type].isTargetOptional ? optional : required;
      return [type, validatorRecord({ ...CONFIG_SHAPES[type] }, presence)];
    }),
  ),
  validatorRecord({ ...freeMap() }, optional),
) as Shape<AuthoredValidator>;
