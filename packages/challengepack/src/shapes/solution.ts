import {
  SCRIPT_STEPS_MAX,
  type ScriptStep,
  type ScriptStepExtras,
  STEP_DELAY_MS_MAX,
} from '@agentclash/domain';
import { list } from '../decode/collections.js';
import { any } from '../decode/free.js';
import { boolean, integer, largeInteger } from '../decode/numbers.js';
import { record } from '../decode/record.js';
import { optional, required, type Shape, withOptions } from '../decode/shape.js';
import { text } from '../decode/text.js';
import { keyText, sandboxPathText } from '../decode/text-forms.js';
import type { JsonValue } from '../json.js';
import type { Solution, SolutionFile } from '../pack/model.js';
import { SOLUTION_SECONDS } from '../pack/solution.js';
import { ENVIRONMENT } from './policy.js';

const FILES_MAX = 2_000;
const COMMAND_LENGTH_MAX = 65_536;
const SECONDS_MAX = 86_400;

const FILE = record<SolutionFile>({
  path: required(sandboxPathText(), 'Where it is written: below the working directory, or an absolute path.'),
  asset: optional(keyText(), 'The key of a declared asset, which no agent may get.'),
  content: optional(
    text({ verbatim: true, blank: 'value' }),
    'In place of an asset: its text; {{case.…}} and {{artifact.KEY}} are replaced by parts of the case.',
  ),
  executable: optional(boolean(), 'Whether it may be executed.', { default: false }),
});

/** Every action of a step is optional here: that there is one and no other is checked with the solution. */
interface WrittenStep extends ScriptStepExtras {
  call?: { name: string; arguments: JsonValue };
  message?: string;
  answer?: string;
}

const STEP = record<WrittenStep>({
  call: optional(
    record<NonNullable<WrittenStep['call']>>({
      name: required(text(), 'The name of the tool.'),
      arguments: required(any(), 'Its arguments; in texts {{name}} is replaced by a value of the case.'),
    }),
    'Calls a tool.',
  ),
  message: optional(
    text({ verbatim: true, blank: 'value' }),
    'A message, which ends a turn of a conversation.',
  ),
  answer: optional(text({ verbatim: true, blank: 'value' }), 'The final output, which ends the attempt.'),
  delay_ms: optional(integer({ min: 0, max: STEP_DELAY_MS_MAX }), 'Waits before it acts, in milliseconds.'),
  usage: optional(
    record<NonNullable<ScriptStepExtras['usage']>>({
      input_tokens: optional(largeInteger({ min: 0 }), 'Input tokens that count as spent.'),
      output_tokens: optional(largeInteger({ min: 0 }), 'Output tokens that count as spent.'),
    }),
    'The usage that counts as spent.',
  ),
});

/** A solution without what a typing error drops would prove nothing. */
export const SOLUTION: Shape<Solution> = withOptions(
  { unknownKeys: 'error' },
  record<Solution>({
    files: optional(
      list(FILE, { lengthMax: FILES_MAX }),
      "Files that are written into the agent's sandbox first.",
    ),
    run: optional(
      text({ lengthMax: COMMAND_LENGTH_MAX }),
      "A shell command that is run in the agent's sandbox, in the working directory, after the files are written.",
    ),
    timeout_seconds: optional(integer({ min: 1, max: SECONDS_MAX }), 'The time limit of run, in seconds.', {
      default: SOLUTION_SECONDS,
    }),
    environment: optional(ENVIRONMENT, 'Further environment variables of run, as literals.'),
    steps: optional(
      list(STEP as Shape<ScriptStep>, { nonEmpty: true, lengthMax: SCRIPT_STEPS_MAX }),
      'In place of everything else: the steps of a scripted agent, each a call, a message or an answer.',
    ),
    answer: optional(
      text({ verbatim: true, blank: 'value' }),
      'The final output; {{case.…}} and {{artifact.KEY}} are replaced by parts of the case.',
    ),
    answer_from: optional(
      text(),
      'In place of an answer: where the final output is found, as in expected_from, such as case.expectations.KEY.',
    ),
  }),
);
