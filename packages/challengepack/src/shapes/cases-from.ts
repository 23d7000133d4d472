import { freeMap } from '../decode/free.js';
import { integer } from '../decode/numbers.js';
import { record } from '../decode/record.js';
import { optional, required } from '../decode/shape.js';
import { choice, text } from '../decode/text.js';
import { relativePathText, uuidText } from '../decode/text-forms.js';
import type { AuthoredCasesFrom, RowDelimiter, RowFormat, Sample } from '../pack/model.js';
import { INPUTS } from './inputs.js';
import { EXPECTATIONS } from './simulator.js';
import { SOLUTION } from './solution.js';

const FORMATS: Readonly<Record<RowFormat, string>> = {
  jsonl: 'One JSON object in each line.',
  json: 'A list of JSON objects.',
  csv: 'A header that names the columns, and a record for each row; every value is text.',
  parquet: 'Columns of a Parquet file.',
};

const DELIMITERS: Readonly<Record<RowDelimiter, string>> = {
  comma: 'A comma.',
  semicolon: 'A semicolon.',
  tab: 'A tab.',
  pipe: 'A vertical bar.',
};

const SAMPLE = record<Sample>({
  n: required(integer({ min: 1 }), 'How many rows; all of them where the file has fewer.'),
  seed: optional(integer({ min: 0 }), 'Another seed is another sample.', { default: 0 }),
});

export const CASES_FROM = record<AuthoredCasesFrom>({
  path: optional(relativePathText(), 'Path of the data file beside the pack.'),
  artifact_id: optional(uuidText(), 'The stored artifact with the rows; absent for a file beside the pack.'),
  format: optional(choice(FORMATS), 'The format of the file; absent: by the ending of the path.'),
  delimiter: optional(
    choice(DELIMITERS),
    'CSV: what separates the values; absent: the most frequent one in the header.',
  ),
  case_key: required(
    text(),
    'The case_key of each row: {{row.COLUMN}} is the value of a column, {{row_number}} counts from 1.',
  ),
  challenge_key: required(text(), 'The challenge of each row; a template too.'),
  payload: optional(
    freeMap(),
    'The payload of each row, shown to the agent: its texts are templates. Only columns that are named here or in inputs are shown.',
    { default: {} },
  ),
  inputs: optional(INPUTS, 'The inputs of each row, shown to the agent; texts are templates.'),
  expectations: optional(
    EXPECTATIONS,
    'The expectations of each row, never shown to the agent; texts are templates.',
  ),
  solution: optional(SOLUTION, 'The solution of each row, never shown to the agent; texts are templates.'),
  limit: optional(integer({ min: 1 }), 'Only the first rows, after the sample.'),
  sample: optional(SAMPLE, 'Only some rows, drawn without replacement and in the order of the file.'),
});
