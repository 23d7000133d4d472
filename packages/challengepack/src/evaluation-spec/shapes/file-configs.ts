import { list } from '../../decode/collections.js';
import { any, freeMap } from '../../decode/free.js';
import { number } from '../../decode/numbers.js';
import { type Fields, record } from '../../decode/record.js';
import { optional, required, type Shape } from '../../decode/shape.js';
import { choice } from '../../decode/text.js';
import { keyText, verifierPathText } from '../../decode/text-forms.js';
import type { JsonValue } from '../../json.js';
import {
  ADAPTER_CHOICES,
  CONDITION_CHOICES,
  MATCH_MODE_CHOICES,
  PHASES_CHOICES,
  REPORT_CHOICES,
  RUNTIME_CHOICES,
  SCORING_CHOICES,
  TRUST_CHOICES,
} from '../../reference/choices.js';
import type { AuthoredConfig } from '../authored.js';
import { CONFIG_DEFAULTS } from '../defaults.js';
import type { Harness } from '../harness.js';
import type { Report } from '../validator-configs.js';
import { config, configText, flag, milliseconds, share } from './config-fields.js';
import { taggedRecord } from './tagged-record.js';

type Config = AuthoredConfig<'postcondition'>;
type Condition = Config['condition'];

const textValue: Shape<JsonValue> = { ...configText() };

const VALUE = 'The value that the file is compared with.';

const FREE: Fields<Config> = {
  condition: required(choice(CONDITION_CHOICES), 'The condition that the file must meet.'),
  value: optional(any(), VALUE),
  json_path: optional(configText(), 'The JSONPath whose node is compared with `value`.'),
};

const TEXT_VALUE: Fields<Config> = { ...FREE, value: required(textValue, VALUE) };
const ANY_VALUE: Fields<Config> = { ...FREE, value: required(any(), VALUE) };
const JSON_PATH: Fields<Config> = {
  ...ANY_VALUE,
  json_path: required(configText(), 'The JSONPath whose node must equal `value`.'),
};

const FIELDS: Record<Condition, Fields<Config>> = {
  exists: FREE,
  not_exists: FREE,
  contains: TEXT_VALUE,
  not_contains: TEXT_VALUE,
  regex_match: TEXT_VALUE,
  equals: ANY_VALUE,
  json_path_match: JSON_PATH,
};

/** Which fields a postcondition needs, and whether its value must be text, depends on the condition. */
const POSTCONDITION_CONFIG: Shape<Config> = taggedRecord(
  'condition',
  new Map(Object.entries(FIELDS).map(([condition, fields]) => [condition, record(fields)])),
  record(FREE),
);

const { code_execution, file_content_match, script } = CONFIG_DEFAULTS;

const REPORTS_MAX = 8;

const REPORTS = list(
  record<Report>({
    path: required(
      verifierPathText(),
      'Where the command writes it: relative to the working directory, or absolute. Absolute folders are made, and can be written.',
    ),
    format: required(choice(REPORT_CHOICES), 'How it is written.'),
    metric: optional(
      keyText(),
      'For reward_json: the metric that is the score. Absent: `reward` if there is one, else the mean of all.',
    ),
  }),
  { lengthMax: REPORTS_MAX, unique: 'path' },
);

const paths = () => list(configText());

const CPU_SECONDS_MAX = 3_600;

const HARNESS = record<Harness>({
  adapter: required(choice(ADAPTER_CHOICES), 'What runs the tests.'),
  tests: required(
    configText(),
    'The file or folder of the tests, from `/grader`; case templates are filled in.',
  ),
  code: optional(
    paths(),
    'Files and packages of the code under test, from the working directory, which tests import by name. Of every adapter but cases; of calls and node_test one file, of go_test and cargo_test the folder of the package.',
  ),
  function: optional(configText(), 'For calls: the function that is called where a call names none.'),
  command: optional(paths(), 'For cases: the program and its arguments.'),
  cpu_seconds: optional(
    number({ min: 1, max: CPU_SECONDS_MAX }),
    'CPU time of one call or case, for go_test and cargo_test of one test. Absent: 10.',
  ),
  trust: optional(list(choice(TRUST_CHOICES)), 'What the code under test may decide. Absent: nothing.'),
});

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
    test_command: optional(
      configText(),
      'The shell command that runs the tests; case templates are filled in. Needed without a `harness`.',
    ),
    harness: optional(
      HARNESS,
      'Instead of test_command and a report: hidden tests in a process that the code under test cannot reach.',
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
    phases: optional(
      choice(PHASES_CHOICES),
      'How the runs after several phases with a gate become a score. Absent: mean.',
    ),
    reports: optional(
      REPORTS,
      'Instead of report_path: files that the command writes. The first that exists is the score. Code that runs in the process of the tests can write them too.',
    ),
  }),
  script: config<'script'>({
    artifact_key: required(keyText(), 'The script: the key of an asset of version.assets.'),
    runtime: optional(
      choice(RUNTIME_CHOICES),
      'The interpreter. Absent: by the ending of the path (.py, .js, .mjs, .cjs).',
    ),
    timeout_ms: milliseconds(script.timeout_ms, 'How long the script may take, in milliseconds.'),
  }),
};
