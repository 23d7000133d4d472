import type { JsonObject } from '@agentclash/challengepack';
import { readText } from '../framework/import-source.js';
import { CODE_LANGUAGES, type CodeLanguage } from './code-graders.js';
import type { ConfigValue } from './config-value.js';
import {
  CODE_FILE,
  DATA_FILE,
  fileNamed,
  namedBy,
  type PromptfooContext,
  readConfigFile,
  reportUnknownKeys,
} from './context.js';
import {
  DROPPED_TYPES,
  JUDGED_TYPES,
  MEASURED_TYPES,
  VALIDATED_TYPES,
  type ValidatedType,
} from './known-assertions.js';
import { fillText, placeholdersOf, rootOf, unsupportedSyntax } from './templates.js';
import type { PackTest } from './tests.js';
import { type Check, inCode, VALIDATORS_OF } from './validators-of.js';

/** The criteria for the output of one test. */
export interface TestGrading {
  checks: (Check & { name: string })[];
  /** Criteria for a judge. */
  criteria: string[];
  limits: { measure: 'latency' | 'cost'; threshold: number; at: ConfigValue }[];
  /** Variables that assertions insert. */
  variables: Set<string>;
  /** Assertions of the test, and those that were dropped because they have no counterpart. */
  count: number;
  droppedCount: number;
  /** Of the dropped ones, those that fail no test in promptfoo either. */
  idleCount: number;
  /** Why assertions were dropped. */
  reasons: string[];
}

const KEYS = new Set([
  'type',
  'value',
  'threshold',
  'weight',
  'metric',
  'transform',
  'provider',
  'rubricPrompt',
  'config',
  'assert',
]);

/** The counterparts of all assertions of a test; each assertion is reported. */
export async function gradingOf(
  context: PromptfooContext,
  test: PackTest,
  { hasJudge }: { hasJudge: boolean },
): Promise<TestGrading> {
  const grading: TestGrading = {
    checks: [],
    criteria: [],
    limits: [],
    variables: new Set(),
    count: 0,
    droppedCount: 0,
    idleCount: 0,
    reasons: [],
  };
  const collector = new AssertionCollector(context, { test, hasJudge, grading });
  for (const at of test.asserts) await collector.add(at);
  return grading;
}

class AssertionCollector {
  constructor(
    private readonly context: PromptfooContext,
    private readonly given: { test: PackTest; hasJudge: boolean; grading: TestGrading },
  ) {}

  async add(at: ConfigValue): Promise<void> {
    const type = at.at('type').text();
    reportUnknownKeys(this.context, at, KEYS);
    if (type === 'assert-set') return await this.#addSet(at);
    const { grading } = this.given;
    grading.count += 1;
    const reason = await namedBy(at.at('value'), () => this.#addTo(at, type));
    if (reason === undefined) return;
    grading.droppedCount += 1;
    if (at.at('weight').value === 0) grading.idleCount += 1;
    grading.reasons.push(`${type}: ${reason}`);
    this.context.losses.dropped(at.file, at.path, `${type}: ${reason}`);
  }

  /** Without a threshold of its own all assertions of a set must hold, as if it were not there. */
  async #addSet(at: ConfigValue): Promise<void> {
    const { losses } = this.context;
    if (!at.at('threshold').isAbsent()) {
      this.given.grading.count += 1;
      this.given.grading.droppedCount += 1;
      const reason = 'assert-set: a set with a threshold of its own has no counterpart';
      this.given.grading.reasons.push(reason);
      losses.dropped(at.file, at.path, reason);
      return;
    }
    losses.carried(at.file, `${at.commonPath}.assert-set`, 'its assertions, all of which must hold');
    for (const each of at.at('assert').list()) await this.add(each);
  }

  /** The reason for which an assertion is dropped; undefined when it is not. */
  async #addTo(at: ConfigValue, type: string): Promise<string | undefined> {
    const isInverse = type.startsWith('not-');
    const base = isInverse ? type.slice('not-'.length) : type;
    if (at.at('weight').value === 0) return 'with the weight 0 it fails no test';
    if (!at.at('transform').isAbsent()) return 'outputs are not transformed by code';
    const reason = DROPPED_TYPES.get(base);
    if (reason !== undefined) return reason;
    this.#reportSettings(at);
    const threshold = thresholdOf(at, base);
    const language = CODE_LANGUAGES.find((each) => each === base);
    if (language !== undefined) return await this.#addCode(at, { language, isInverse, threshold });
    if (MEASURED_TYPES.has(base)) return this.#addLimit(at, { base, isInverse, threshold });
    const value = await this.#valueOf(at.at('value'));
    if ('reason' in value) return value.reason;
    if (JUDGED_TYPES.has(base)) return this.#addCriterion(at, { base, isInverse, value: value.value });
    if (!isValidated(base)) return 'promptfoo has no assertion of this type that the importer knows';
    const counterpart = VALIDATORS_OF[base]({
      value: value.value,
      threshold,
      isInverse,
      vars: this.given.test.vars,
    });
    if ('dropped' in counterpart) return counterpart.dropped;
    const { checks, changed } = counterpart;
    this.given.grading.checks.push(...checks.map((check) => ({ ...check, name: type })));
    const validators = [...new Set(checks.map((check) => check.type))].join(', ');
    const { losses } = this.context;
    const key = `${at.commonPath} ${type}`;
    if (changed === undefined) losses.carried(at.file, key, `validators of the type ${validators}`);
    else losses.changed(at.file, key, `${validators}: ${changed}`);
    return undefined;
  }

  #reportSettings(at: ConfigValue): void {
    const { losses } = this.context;
    if (!at.at('weight').isAbsent()) {
      const weight = at.at('weight');
      const isOne = weight.value === 1;
      if (!isOne)
        losses.dropped(
          at.file,
          weight.commonPath,
          'every assertion counts alike; verdicts do not depend on it',
        );
    }
    if (!at.at('metric').isAbsent()) {
      losses.dropped(at.file, at.at('metric').commonPath, 'a validator has its own result under its key');
    }
    for (const key of ['rubricPrompt', 'config']) {
      if (!at.at(key).isAbsent())
        losses.dropped(at.file, at.at(key).commonPath, 'this setting has no counterpart');
    }
  }

  #addLimit(
    at: ConfigValue,
    { base, isInverse, threshold }: { base: string; isInverse: boolean; threshold: number | undefined },
  ): string | undefined {
    if (isInverse) return 'no dimension demands a longer or more expensive attempt';
    if (threshold === undefined || threshold <= 0) return 'it has no threshold above 0';
    this.given.grading.limits.push({ measure: base === 'cost' ? 'cost' : 'latency', threshold, at });
    return undefined;
  }

  /** Code of the configuration, which nothing but the verifier sandbox runs. */
  async #addCode(
    at: ConfigValue,
    {
      language,
      isInverse,
      threshold,
    }: { language: CodeLanguage; isInverse: boolean; threshold: number | undefined },
  ): Promise<string | undefined> {
    const code = await this.#codeOf(at.at('value'), language);
    if ('reason' in code) return code.reason;
    const { vars } = this.given.test;
    const check = inCode(language, {
      ...code,
      vars,
      ...(threshold !== undefined && { threshold }),
      ...(isInverse && { isInverse }),
    });
    const given = `${at.at('value').text()}\n${code.code}`;
    this.given.grading.checks.push({ ...check, name: at.at('type').text() });
    for (const variable of Object.keys(vars)) {
      if (given.includes(variable)) this.given.grading.variables.add(variable);
    }
    const { losses } = this.context;
    losses.changed(
      at.file,
      `${at.commonPath} ${at.at('type').text()}`,
      'a script of the pack runs it in the verifier sandbox: without other modules, a network and context.prompt',
    );
    return undefined;
  }

  async #codeOf(
    at: ConfigValue,
    language: CodeLanguage,
  ): Promise<{ code: string; function?: string } | { reason: string }> {
    const text = at.text();
    if (!text.startsWith('file://')) {
      const syntax = unsupportedSyntax(text);
      if (syntax !== undefined) return { reason: `its code is computed by a template: ${syntax}` };
      return { code: fillText(text, this.given.test.vars) };
    }
    const [, name = '', found = language === 'python' ? 'get_assert' : 'default'] =
      /^(.*?\.(?:[cm]?js|py))(?::(\w+))?$/.exec(text) ?? [];
    if (name === '' || name.endsWith('.py') !== (language === 'python')) {
      return { reason: 'its code is in a file of another language' };
    }
    const file = fileNamed(this.context, name) ?? '';
    return { code: await readText(this.context.source, file), function: found };
  }

  #addCriterion(
    at: ConfigValue,
    { base, isInverse, value }: { base: string; isInverse: boolean; value: unknown },
  ): string | undefined {
    if (!this.given.hasJudge) return 'no model is known that judges: name one with --judge';
    const texts = Array.isArray(value) ? value : [value];
    if (!texts.every((text) => typeof text === 'string' && text.trim() !== '')) return 'its value is no text';
    const prefix = base.endsWith('factuality') ? 'It agrees with this fact: ' : '';
    const negation = isInverse ? 'This does not hold: ' : '';
    this.given.grading.criteria.push(...texts.map((text) => `${negation}${prefix}${text}`));
    const { losses } = this.context;
    losses.changed(
      at.file,
      `${at.commonPath} ${base}`,
      'one judge decides on all criteria of a case, by its own prompt',
    );
    return undefined;
  }

  /** The value with the variables of the test; of a file its content. */
  async #valueOf(at: ConfigValue): Promise<{ value: unknown } | { reason: string }> {
    if (Array.isArray(at.value)) {
      const values: unknown[] = [];
      for (const each of at.list()) {
        const found = await this.#valueOf(each);
        if ('reason' in found) return found;
        values.push(found.value);
      }
      return { value: values };
    }
    if (typeof at.value !== 'string') return { value: at.value };
    if (at.value.startsWith('file://')) {
      if (CODE_FILE.test(at.value)) return { reason: 'a value that code computes is not imported' };
      const file = fileNamed(this.context, at.value) ?? '';
      if (DATA_FILE.test(file)) return { value: (await readConfigFile(this.context, file)).value };
      return { value: (await readText(this.context.source, file)).trim() };
    }
    const syntax = unsupportedSyntax(at.value);
    if (syntax !== undefined) return { reason: `its value is computed by a template: ${syntax}` };
    for (const path of placeholdersOf(at.value)) this.given.grading.variables.add(rootOf(path));
    return { value: fillText(at.value, this.given.test.vars as JsonObject) };
  }
}

/** Types whose outputs are scored from 0 to 1. */
const SCORED = new Set(['bleu', 'rouge-n']);
/** A limit of milliseconds or dollars beyond it bounds nothing. */
const LIMIT_MAX = 1e15;

function thresholdOf(assertion: ConfigValue, type: string): number | undefined {
  const at = assertion.at('threshold');
  const threshold = at.optionalNumber();
  if (threshold === undefined) return undefined;
  if (SCORED.has(type) && (threshold < 0 || threshold > 1))
    throw at.fail(`a score is from 0 to 1, and the threshold is ${threshold}`);
  if (MEASURED_TYPES.has(type) && threshold > LIMIT_MAX)
    throw at.fail(`the limit ${threshold} is above ${LIMIT_MAX}`);
  return threshold;
}

function isValidated(type: string): type is ValidatedType {
  return (VALIDATED_TYPES as readonly string[]).includes(type);
}
