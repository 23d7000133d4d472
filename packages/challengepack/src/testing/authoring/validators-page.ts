import { stringify } from 'yaml';
import { VALIDATOR } from '../../evaluation-spec/shapes/validator-shape.js';
import type { ValidatorType } from '../../evaluation-spec/validator-configs.js';
import { VALIDATOR_TYPES, type ValidatorTypeRule } from '../../evaluation-spec/validator-types.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import { GENERATED_TEXT_ENTRIES } from '../../reference/generated-text-entries.js';
import { NUMBER_ENTRIES } from '../../reference/number-entries.js';
import { STRUCTURED_ENTRIES } from '../../reference/structured-entries.js';
import { TEXT_ENTRIES } from '../../reference/text-entries.js';
import type { ValidatorEntry } from '../../reference/validator-entry.js';
import { WORKSPACE_ENTRIES } from '../../reference/workspace-entries.js';
import { rowOf } from './field-reference.js';

const SECTIONS: Record<string, { readonly [T in ValidatorType]?: ValidatorEntry }> = {
  Text: TEXT_ENTRIES,
  'Numbers and mathematics': NUMBER_ENTRIES,
  'Generated text': GENERATED_TEXT_ENTRIES,
  'Structured text': STRUCTURED_ENTRIES,
  'Files, test runs and tool calls': WORKSPACE_ENTRIES,
};

const TARGETS = {
  text: 'any reference to a text, mostly `final_output`',
  capture: '`file:KEY` of a `file_capture`',
  listing: '`file:KEY` of a `directory_listing`',
  capture_or_listing: '`file:KEY` of a `file_capture` or a `directory_listing`',
  tool_calls: '`tool_calls`',
  evidence: '`evidence`',
} as const;

const EXAMPLE_TARGETS = {
  text: 'final_output',
  capture: 'file:result',
  listing: 'file:result',
  capture_or_listing: 'file:result',
  tool_calls: 'tool_calls',
  evidence: 'evidence',
} as const;

/** Every validator with its rules, config and a passing and a failing example, as Markdown. */
export function validatorsMarkdown(): string {
  const overview = Object.entries(SECTIONS).flatMap(([, entries]) =>
    entriesOf(entries).map(([type, { summary }]) => `| [\`${type}\`](#${type}) | ${summary} |`),
  );
  const sections = Object.entries(SECTIONS).map(([title, entries]) =>
    [`## ${title}`, ...entriesOf(entries).map(([type, entry]) => entryMarkdown(type, entry))].join('\n\n'),
  );
  return [['| Type | |', '|---|---|', ...overview].join('\n'), ...sections].join('\n\n');
}

function entriesOf(entries: object): [ValidatorType, ValidatorEntry][] {
  return Object.entries(entries) as [ValidatorType, ValidatorEntry][];
}

function entryMarkdown(type: ValidatorType, entry: ValidatorEntry): string {
  const rules = [
    ['Target', targetOf(VALIDATOR_TYPES[type])],
    ...expectedRule(type, entry),
    ...(entry.rules ?? []),
  ];
  return [
    `### ${type}`,
    entry.summary,
    rules.map(([name, text]) => `- **${name}.** ${sentence(text ?? '')}`).join('\n'),
    ...configMarkdown(type),
    `\`\`\`yaml\n${exampleYaml(type, entry)}\`\`\``,
  ].join('\n\n');
}

function targetOf({ target, isTargetOptional }: ValidatorTypeRule): string {
  const text = TARGETS[target];
  return isTargetOptional ? `${text}, to show it beside the result; optional` : text;
}

function expectedRule(type: ValidatorType, { expected }: ValidatorEntry): [string, string][] {
  const { expectedFrom } = VALIDATOR_TYPES[type];
  if (expected === undefined) return [['Expected', 'nothing: `expected_from` is not used']];
  return [['Expected', expectedFrom === 'or_config' ? `${expected}, or \`config.expected\`` : expected]];
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

function exampleYaml(type: ValidatorType, { example }: ValidatorEntry): string {
  const { validator, passes, fails } = example;
  const target = EXAMPLE_TARGETS[VALIDATOR_TYPES[type].target];
  return stringify(
    { validator: { key: 'example', type, target, ...validator }, passes, fails },
    { lineWidth: 0 },
  );
}

/** The table of the config's fields, and what each of their values means. */
function configMarkdown(type: ValidatorType): string[] {
  const config = configSchema(type);
  const fields = isJsonObject(config?.properties) ? Object.entries(config.properties) : [];
  if (fields.length === 0) return ['No config.'];
  const required = Array.isArray(config?.required) ? config.required : [];
  const rows = fields.map(([name, field]) => rowOf(name, field, required.includes(name)));
  const table = ['| Config | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
  const choices = fields.flatMap(([name, field]) => choicesMarkdown(name, field));
  return choices.length === 0 ? [table] : [table, choices.join('\n')];
}

function choicesMarkdown(name: string, field: JsonValue | undefined): string[] {
  const described = enumIn(field);
  if (described === undefined) return [];
  const { values, descriptions } = described;
  const texts = values.map((value, index) => `  - \`${String(value)}\`: ${String(descriptions[index])}`);
  return [`- \`${name}\``, ...texts];
}

/** The described values of a field, or of the entries of a list. */
function enumIn(
  field: JsonValue | undefined,
): { values: readonly JsonValue[]; descriptions: readonly JsonValue[] } | undefined {
  if (!isJsonObject(field)) return undefined;
  const { enum: values, enumDescriptions: descriptions, anyOf, items } = field;
  if (Array.isArray(values) && Array.isArray(descriptions)) return { values, descriptions };
  const branches = [...(Array.isArray(anyOf) ? anyOf : []), items];
  return branches.map(enumIn).find((found) => found !== undefined);
}

/** The part of the editor schema for the config of one type. */
function configSchema(type: ValidatorType): JsonObject | undefined {
  const branches = Array.isArray(VALIDATOR.schema.allOf) ? VALIDATOR.schema.allOf : [];
  const branch = branches.find((each) => constIn(each, 'if', 'type') === type);
  const fields = memberOf(memberOf(branch, 'then'), 'properties');
  const config = memberOf(fields, 'config');
  return isJsonObject(config) ? config : undefined;
}

function constIn(
  branch: JsonValue | undefined,
  ...[condition, tag]: [string, string]
): JsonValue | undefined {
  return memberOf(memberOf(memberOf(memberOf(branch, condition), 'properties'), tag), 'const');
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
