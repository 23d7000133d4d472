import { list } from '../../decode/collections.js';
import { freeMap } from '../../decode/free.js';
import { optional, required } from '../../decode/shape.js';
import { choice } from '../../decode/text.js';
import { MATCH_MODE_CHOICES, SCORING_CHOICES } from '../../reference/choices.js';
import { CONFIG_DEFAULTS } from '../defaults.js';
import { config, configText, flag, milliseconds, share } from './config-fields.js';
import { POSTCONDITION_CONFIG } from './postcondition-config.js';

const { code_execution, file_content_match } = CONFIG_DEFAULTS;

const paths = () => list(configText());

/** The configs of the types that judge captured files, listings and test runs. */
export const FILE_CONFIGS = {
  file_exists: config<'file_exists'>({
    must_exist: flag(true, 'Whether the file has to be there; false: it must not be.'),
  }),
  file_content_match: config<'file_content_match'>({
    match_mode: optional(choice(MATCH_MODE_CHOICES), 'How the content is compared.', {
      default: file_content_match.match_mode,
    }),
    ignore_whitespace: flag(false, 'Whether runs of white space count as one space.'),
  }),
  file_json_schema: config<'file_json_schema'>({
    schema: required(freeMap(), 'The JSON Schema that the file must meet.'),
  }),
  directory_structure: config<'directory_structure'>({
    required_files: optional(paths(), 'Files that must be there.'),
    forbidden_files: optional(paths(), 'Entries that must not be there.'),
    required_directories: optional(paths(), 'Directories that must be there.'),
  }),
  postcondition: POSTCONDITION_CONFIG,
  code_execution: config<'code_execution'>({
    test_command: required(
      configText(),
      'The shell command that runs the tests; case templates are filled in.',
    ),
    timeout_ms: milliseconds(code_execution.timeout_ms, 'How long the command may take, in milliseconds.'),
    scoring: optional(choice(SCORING_CHOICES), 'How counts become a score.', {
      default: code_execution.scoring,
    }),
    pass_threshold: share(code_execution.pass_threshold, 'The score from which the validator passes.'),
    report_path: optional(
      configText(),
      'The JUnit file that the command writes and counts are read from, instead of its output. Code that runs in the process of the tests can write it too.',
    ),
  }),
};
