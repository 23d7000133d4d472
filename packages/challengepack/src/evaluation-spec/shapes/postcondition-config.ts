import { any } from '../../decode/free.js';
import { type Fields, record } from '../../decode/record.js';
import { optional, required, type Shape } from '../../decode/shape.js';
import { choice } from '../../decode/text.js';
import type { JsonValue } from '../../json.js';
import { CONDITION_CHOICES } from '../../reference/choices.js';
import type { AuthoredConfig } from '../authored.js';
import { configText } from './config-fields.js';
import { taggedRecord } from './tagged-record.js';

type Config = AuthoredConfig<'postcondition'>;
type Condition = Config['condition'];

const textValue: Shape<JsonValue> = { ...configText() };

const VALUE = 'What the file is compared with.';

const FREE: Fields<Config> = {
  condition: required(choice(CONDITION_CHOICES), 'What must hold of the file.'),
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
export const POSTCONDITION_CONFIG: Shape<Config> = taggedRecord(
  'condition',
  new Map(Object.entries(FIELDS).map(([condition, fields]) => [condition, record(fields)])),
  record(FREE),
);
