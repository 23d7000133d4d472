import { list } from '../../decode/collections.js';
import { freeMap } from '../../decode/free.js';
import { boolean, integer } from '../../decode/numbers.js';
import { record } from '../../decode/record.js';
import { optional, required } from '../../decode/shape.js';
import { orText } from '../../decode/shorthand.js';
import { choice } from '../../decode/text.js';
import { ARGUMENT_CHOICES, ORDER_CHOICES, TRAJECTORY_CHOICES } from '../../reference/choices.js';
import type { AuthoredToolCall } from '../authored.js';
import { CONFIG_DEFAULTS } from '../defaults.js';
import { config, configText, flag } from './config-fields.js';

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
export const TOOL_CONFIGS = {
  tool_call_assertion: config<'tool_call_assertion'>({
    tool_name: optional(configText(), 'The tool whose calls count; default: every tool.'),
    must_call: optional(boolean(), 'Whether a call is needed; false forbids it.'),
    count: optional(count(), 'The exact number of calls.'),
    min_count: optional(count(), 'The least number of calls.'),
    max_count: optional(count(), 'The largest number of calls.'),
    arguments_contain: optional(freeMap(), 'What the arguments of a call must contain for it to count.'),
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
