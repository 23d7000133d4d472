import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import { readText } from '../framework/import-source.js';
import { readTable, type Table } from '../tables/read-table.js';
import { assertionOfCell } from './assertion-text.js';
import { type ConfigMap, type ConfigSource, ConfigValue, isMap } from './config-value.js';
import {
  CODE_FILE,
  DATA_FILE,
  fileNamed,
  namedBy,
  type PromptfooContext,
  readConfigFile,
  reportDropped,
  reportUnknownKeys,
} from './context.js';
import { resolveVars } from './templates.js';

/** A test with the defaults of the configuration applied. */
export interface PackTest {
  at: ConfigValue;
  description?: string;
  vars: JsonObject;
  asserts: ConfigValue[];
  threshold?: number;
  /** The model that its judges are to use, as promptfoo names it. */
  grader?: string;
  /** An output that is stored with the test. */
  providerOutput?: string;
}

const TESTS_MAX = 10_000;

const KEYS = new Set([
  'vars',
  'assert',
  'options',
  'description',
  'threshold',
  'metadata',
  'providerOutput',
  'provider',
  'providers',
  'prompts',
  'assertScoringFunction',
]);
const DROPPED = {
  metadata: 'a case has no metadata',
  provider: 'every deployment of a run gets every case',
  providers: 'every deployment of a run gets every case',
  prompts: 'every prompt gets every test',
  assertScoringFunction: 'scores are not computed by code of the configuration',
};
const OPTION_KEYS = new Set(['provider', 'disableVarExpansion', 'disableDefaultAsserts']);

/** All tests: those of `tests`, and of `scenarios` each test with each configuration. */
export async function readTests(context: PromptfooContext, root: ConfigValue): Promise<PackTest[]> {
  const defaults = await defaultsOf(context, root.at('defaultTest'));
  const raw = await rawTests(context, root.at('tests'));
  for (const scenario of await entriesOf(context, root.at('scenarios'))) {
    raw.push(...(await scenarioTests(context, scenario)));
  }
  // Without tests promptfoo evaluates each prompt once.
  if (raw.length === 0) raw.push(root.with({}));
  const tests: PackTest[] = [];
  for (const at of raw) {
    for (const test of await testsOf(context, at, defaults)) {
      if (tests.length >= TESTS_MAX) throw root.at('tests').fail(`there are more than ${TESTS_MAX} tests`);
      tests.push(test);
    }
  }
  return tests;
}

async function defaultsOf(context: PromptfooContext, at: ConfigValue): Promise<ConfigValue> {
  if (at.isAbsent()) return at.with({});
  if (typeof at.value !== 'string') return at;
  const name = at.value;
  return await namedBy(at, async () => {
    const file = fileNamed(context, name);
    if (file === undefined) throw at.fail('a map or file://… is expected');
    return await readConfigFile(context, file);
  });
}

/** Entries of a list that may be in files. */
async function entriesOf(context: PromptfooContext, at: ConfigValue): Promise<ConfigValue[]> {
  const entries = typeof at.value === 'string' ? [at] : at.list();
  const found: ConfigValue[] = [];
  for (const entry of entries) {
    const name = entry.value;
    if (typeof name !== 'string') {
      found.push(entry);
      continue;
    }
    const root = await namedBy(entry, async () => {
      const file = fileNamed(context, name) ?? fileNamed(context, `file://${name}`) ?? '';
      return await readConfigFile(context, file);
    });
    found.push(...root.list());
  }
  return found;
}

async function rawTests(context: PromptfooContext, at: ConfigValue): Promise<ConfigValue[]> {
  if (isMap(at.value)) {
    context.losses.dropped(at.file, at.path, 'tests that code generates are not run');
    return [];
  }
  const entries = typeof at.value === 'string' ? [at] : at.list();
  const found: ConfigValue[] = [];
  for (const entry of entries) {
    if (typeof entry.value === 'string')
      found.push(...(await namedBy(entry, () => testsOfFile(context, entry))));
    else if (isMap(entry.value) && typeof entry.value.path === 'string') {
      context.losses.dropped(entry.file, entry.path, 'tests that code generates are not run');
    } else found.push(entry);
  }
  return found;
}

async function testsOfFile(context: PromptfooContext, at: ConfigValue): Promise<ConfigValue[]> {
  const { losses, source } = context;
  const name = at.text();
  const drop = (reason: string) => {
    losses.dropped(at.file, at.path, reason);
    return [];
  };
  if (/^(?:https?|huggingface|s3|az|gs):\/\//i.test(name))
    return drop('an import connects to nothing: store the tests in a file');
  if (CODE_FILE.test(name)) return drop('tests that code generates are not run');
  if (/[*?]/.test(name)) return drop('name each file: patterns are not expanded');
  const file = fileNamed(context, name) ?? fileNamed(context, `file://${name}`) ?? name;
  losses.carried(at.file, at.commonPath, 'the tests of a file');
  if (/\.csv$/i.test(file)) return cellTests(context, await readTable(source, file, 'csv'), file);
  if (/\.jsonl$/i.test(file)) return rowTests(await readTable(source, file, 'jsonl'), file);
  if (DATA_FILE.test(file)) {
    const root = await readConfigFile(context, file);
    return Array.isArray(root.value) ? root.list() : [root];
  }
  throw at.fail('tests are read from .csv, .jsonl, .json and .yaml');
}

function rowSource({ locations }: Table, file: string): ConfigSource {
  return { file, locate: ([row]) => (typeof row === 'number' ? (locations[row] ?? {}) : {}) };
}

function rowTests(table: Table, file: string): ConfigValue[] {
  const source = rowSource(table, file);
  return table.rows.map((row, index) => new ConfigValue(source, row, [index]));
}

/** Columns that begin with `__` are parts of the test, all others are variables. */
function cellTests(context: PromptfooContext, table: Table, file: string): ConfigValue[] {
  const source = rowSource(table, file);
  for (const column of table.columns.filter((name) => /^__(?:prefix|suffix|metadata|config)/.test(name))) {
    context.losses.dropped(file, column, 'this column has no counterpart');
  }
  return table.rows.map((row, index) => {
    const vars: ConfigMap = Object.create(null);
    const assert: ConfigMap[] = [];
    const test: ConfigMap = { vars, assert };
    for (const [column, cell] of Object.entries(row)) {
      const text = String(cell);
      if (/^__expected\d*$/.test(column)) {
        if (text.trim() !== '') assert.push(assertionOfCell(text.trim()));
      } else if (column === '__description' || column === '__providerOutput') {
        if (text !== '') test[column.slice(2)] = text;
      } else if (column === '__threshold' && text.trim() !== '') test.threshold = Number(text);
      else if (!column.startsWith('__')) vars[column] = text;
    }
    return new ConfigValue(source, test, [index]);
  });
}

async function scenarioTests(context: PromptfooContext, at: ConfigValue): Promise<ConfigValue[]> {
  reportUnknownKeys(context, at, new Set(['config', 'tests', 'description']));
  const configs = await entriesOf(context, at.at('config'));
  const tests = await rawTests(context, at.at('tests'));
  if (configs.length * tests.length > TESTS_MAX) throw at.fail(`there are more than ${TESTS_MAX} tests`);
  context.losses.carried(at.file, at.commonPath, 'each test with each configuration');
  return configs.flatMap((config) =>
    tests.map((test) =>
      test.with({
        ...config.map(),
        ...test.map(),
        vars: { ...varsMap(config), ...varsMap(test) },
        assert: [...listOf(config, 'assert'), ...listOf(test, 'assert')],
      }),
    ),
  );
}

function varsMap(at: ConfigValue): ConfigMap {
  const vars = at.at('vars');
  return vars.isAbsent() ? {} : vars.map();
}

function listOf(at: ConfigValue, key: string): unknown[] {
  return at
    .at(key)
    .list()
    .map(({ value }) => value);
}

async function testsOf(
  context: PromptfooContext,
  at: ConfigValue,
  defaults: ConfigValue,
): Promise<PackTest[]> {
  const { losses } = context;
  for (const each of [defaults, at]) {
    reportUnknownKeys(context, each, each === at ? KEYS : new Set([...KEYS, 'options']));
    reportDropped(context, each, DROPPED);
    for (const key of each.at('options').keys()) {
      const option = each.at('options').at(key);
      if (!OPTION_KEYS.has(key)) losses.dropped(option.file, option.commonPath, optionReason(key));
    }
  }
  const option = (key: string) => {
    const own = at.at('options').at(key);
    return own.isAbsent() ? defaults.at('options').at(key) : own;
  };
  const vars: ConfigMap = {};
  for (const each of [defaults, at]) {
    for (const key of each.at('vars').keys()) {
      const variable = each.at('vars').at(key);
      const value = await namedBy(variable, () => varOf(context, variable));
      Object.defineProperty(vars, key, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  const skipsDefaults = option('disableDefaultAsserts').value === true;
  const asserts = [...(skipsDefaults ? [] : defaults.at('assert').list()), ...at.at('assert').list()];
  const threshold = at.at('threshold').optionalNumber() ?? defaults.at('threshold').optionalNumber();
  const description = at.at('description').optionalText();
  const grader = graderOf(option('provider').value);
  const output = at.at('providerOutput').value ?? defaults.at('providerOutput').value;
  const expanded = option('disableVarExpansion').value === true ? [vars] : combinations(at, vars);
  return expanded.map((each) => ({
    at,
    vars: resolveVars(each as JsonObject),
    asserts,
    ...(threshold !== undefined && { threshold }),
    ...(description !== undefined && { description }),
    ...(grader !== undefined && { grader }),
    ...(output !== undefined && output !== null && { providerOutput: outputText(output) }),
  }));
}

function optionReason(key: string): string {
  if (['transform', 'postprocess', 'transformVars'].includes(key)) {
    return 'outputs and variables are not transformed by code: outputs are graded as they are';
  }
  return 'this option has no counterpart';
}

function outputText(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function graderOf(provider: unknown): string | undefined {
  if (typeof provider === 'string') return provider;
  const id = isMap(provider)
    ? (provider.id ?? (isMap(provider.text) ? provider.text.id : provider.text))
    : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The value of a variable; of a file its text. */
async function varOf(context: PromptfooContext, at: ConfigValue): Promise<unknown> {
  if (typeof at.value !== 'string' || !at.value.startsWith('file://')) return at.value;
  if (CODE_FILE.test(at.value)) throw at.fail('a variable that code computes cannot be imported');
  const file = fileNamed(context, at.value) ?? '';
  const text = await readText(context.source, file);
  return DATA_FILE.test(file) ? (await readConfigFile(context, file)).value : text.trim();
}

/** A list as a variable gives a test for each of its values; several lists for each combination. */
function combinations(at: ConfigValue, vars: ConfigMap): Record<string, JsonValue>[] {
  let found: ConfigMap[] = [{}];
  for (const [key, value] of Object.entries(vars)) {
    const values = Array.isArray(value) ? value : [value];
    if (found.length * values.length > TESTS_MAX)
      throw at.at('vars').fail(`there are more than ${TESTS_MAX} tests`);
    found = found.flatMap((before) => values.map((each) => ({ ...before, [key]: each })));
  }
  return found as Record<string, JsonValue>[];
}
