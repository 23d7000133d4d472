import type { JsonObject } from '@agentclash/challengepack';
import { DistinctKeys } from '../writing/names.js';
import { CODE_GRADERS, type CodeLanguage } from './code-graders.js';
import type { PromptfooContext } from './context.js';
import { gradingOf, type TestGrading } from './grading.js';
import type { PackPrompt } from './prompts.js';
import { rootOf, valueAt } from './templates.js';
import type { PackTest } from './tests.js';
import { ValidatorSlots } from './validator-slots.js';

interface PackCase {
  key: string;
  prompt: Prompt;
  test: PackTest;
  criteria: string[];
}

interface Prompt extends PackPrompt {
  key: string;
}

interface Limit {
  measure: 'latency' | 'cost';
  threshold: number;
}

/** Something always holds of an output: the validator of a case whose test asserts nothing about it. */
const NO_ASSERTION = {
  name: 'no-assertion',
  type: 'length_range',
  config: { unit: 'characters', min: 0 },
  expected: null,
};
const NO_CRITERION = 'There is no criterion for this case: every output meets it.';
const CRITERIA = 'case.expectations.criteria';

/** The parts of a pack, collected test by test. */
export class PromptfooPack {
  readonly #cases: PackCase[] = [];
  readonly #slots = new ValidatorSlots();
  readonly #caseKeys = new DistinctKeys();
  readonly #prompts: Prompt[];
  readonly #judge: string | undefined;
  readonly #reasons = new Set<string>();
  readonly #tests: { test: PackTest; limits: TestGrading['limits'] }[] = [];

  constructor(
    private readonly context: PromptfooContext,
    { prompts, judge }: { prompts: readonly PackPrompt[]; judge: string | undefined },
  ) {
    const keys = new DistinctKeys();
    this.#prompts = prompts.map((prompt) => ({ ...prompt, key: keys.of(prompt.label, 'prompt') }));
    this.#judge = judge;
  }

  /** Why assertions of tests that are left out were dropped, each reason once. */
  get reasons(): readonly string[] {
    return [...this.#reasons];
  }

  get caseCount(): number {
    return this.#cases.length;
  }

  async add(test: PackTest): Promise<void> {
    const { losses } = this.context;
    const { at } = test;
    const path = at.path === '' ? 'tests' : at.path;
    const grading = await gradingOf(this.context, test, { hasJudge: this.#judge !== undefined });
    if (grading.count > 0 && grading.droppedCount === grading.count) {
      losses.dropped(at.file, path, 'none of its assertions has a counterpart: it would pass every output');
      for (const reason of grading.reasons) this.#reasons.add(reason);
      return;
    }
    const uncheckedCount = grading.droppedCount - grading.idleCount;
    if (uncheckedCount > 0) {
      losses.warn(
        `${at.file} ${path}: ${uncheckedCount} of ${grading.count} assertions are not checked, it may pass where promptfoo fails it`,
      );
    }
    if (test.description !== undefined) losses.carried(at.file, at.at('description').commonPath, 'case_key');
    if (grading.count === 0) losses.changed(at.file, path, 'it asserts nothing: every output passes');
    this.#tests.push({ test, limits: grading.limits });
    for (const prompt of this.#prompts) this.#addCase(prompt, test, grading);
  }

  #addCase(prompt: Prompt, test: PackTest, { checks, criteria, variables }: TestGrading): void {
    const number = this.#tests.length;
    const name = test.description ?? `test ${number}`;
    const key = this.#caseKeys.of(
      this.#prompts.length > 1 ? `${name} ${prompt.key}` : name,
      `test-${number}`,
    );
    this.#cases.push({ key, prompt, test, criteria });
    const { at } = test;
    this.context.origins.set(key, { file: at.file, ...at.source.locate(at.steps) });
    this.#slots.add(key, checks.length > 0 ? checks : [NO_ASSERTION]);
    const { losses } = this.context;
    const shown = new Set(prompt.placeholders.map(rootOf));
    for (const variable of Object.keys(test.vars)) {
      const path = `vars.${variable}`;
      const uses = [
        shown.has(variable) && `payload.${variable}`,
        variables.has(variable) && 'assertions, which no agent sees',
      ].filter((use) => use !== false);
      if (uses.length > 0) losses.carried(test.at.file, path, uses.join('; '));
      else losses.dropped(test.at.file, path, 'neither the prompt nor an assertion inserts it');
    }
  }

  challenges(title: string): Record<string, unknown>[] {
    return this.#prompts.map(({ key, label, instructions }) => ({
      key,
      title: this.#prompts.length === 1 ? title : label,
      category: 'imported',
      difficulty: 'medium',
      instructions,
    }));
  }

  cases(): Record<string, unknown>[] {
    return this.#cases.map(({ key, prompt, test, criteria }) => {
      const expectations = this.#slots.expectationsOf(key, this.caseCount);
      if (this.#hasCriteria)
        expectations.push({ key: 'criteria', kind: 'text', value: criteriaText(criteria) });
      const output = this.#slots.outputOf(key);
      return {
        challenge_key: prompt.key,
        case_key: key,
        payload: payloadOf(prompt, test),
        ...(expectations.length > 0 && { expectations }),
        ...(output !== undefined && { solution: { answer_from: output } }),
      };
    });
  }

  evaluationSpec(): Record<string, unknown> {
    const threshold = this.#sharedThreshold();
    const dimensions: Record<string, unknown>[] = [
      threshold === undefined
        ? { key: 'correctness', source: 'validators', scoring: 'verdicts', pass_threshold: 1 }
        : { key: 'correctness', source: 'validators', pass_threshold: threshold },
      ...this.#sharedLimits().map(({ measure, threshold: target }) => ({
        key: measure,
        normalization: { target, max: 2 * target },
        pass_threshold: 1,
      })),
    ];
    if (this.#hasCriteria) {
      dimensions.push({ key: 'criteria', source: 'llm_judge', judge_key: 'criteria', pass_threshold: 1 });
    }
    return {
      judge_mode: this.#hasCriteria ? 'hybrid' : 'deterministic',
      validators: this.#slots.validators(this.caseCount),
      ...(this.#hasCriteria && {
        llm_judges: [
          {
            key: 'criteria',
            mode: 'assertion',
            model: this.#judge,
            assertion: 'The final output meets every one of the criteria.',
            context_from: ['final_output', CRITERIA],
          },
        ],
      }),
      scorecard: { strategy: 'binary', dimensions },
    };
  }

  /** The scripts that assertions in code need. */
  graders(): (typeof CODE_GRADERS)[CodeLanguage][] {
    return [...this.#slots.languages()].map((language) => CODE_GRADERS[language]);
  }

  /** A deployment that returns the outputs that are stored with the tests; undefined when none is. */
  recordedOutputs(): Record<string, unknown> | undefined {
    const outputs = this.#cases.flatMap(({ key, test: { providerOutput } }) =>
      providerOutput === undefined || providerOutput === '' || providerOutput.includes('{{')
        ? []
        : [[key, [{ answer: providerOutput }]] as const],
    );
    if (outputs.length === 0) return undefined;
    return { name: 'recorded-outputs', kind: 'scripted', config: { by_case: Object.fromEntries(outputs) } };
  }

  get #hasCriteria(): boolean {
    return this.#cases.some(({ criteria }) => criteria.length > 0);
  }

  /** A threshold decides by the mean of the scores; a pack has one for all cases. */
  #sharedThreshold(): number | undefined {
    const thresholds = this.#tests.map(({ test }) => test.threshold);
    const [first] = thresholds;
    const { losses, file } = this.context;
    if (first !== undefined && thresholds.every((each) => each === first)) {
      losses.carried(file, 'threshold', 'the pass_threshold of the dimension correctness');
      return Math.min(1, Math.max(0, first));
    }
    for (const { test } of this.#tests) {
      if (test.threshold === undefined) continue;
      const reason = 'not all tests have this threshold: every assertion must hold';
      losses.dropped(test.at.file, `${test.at.path}.threshold`, reason);
    }
    return undefined;
  }

  /** A limit of latency or cost is a dimension, which all cases have. */
  #sharedLimits(): Limit[] {
    return (['latency', 'cost'] as const).flatMap((measure) => {
      const all = this.#tests.map(({ limits }) => limits.filter((limit) => limit.measure === measure));
      const tightest = all.map((limits) => Math.min(...limits.map(({ threshold }) => threshold)));
      const [first = Number.POSITIVE_INFINITY] = tightest;
      const isShared = Number.isFinite(first) && tightest.every((each) => each === first);
      const { losses } = this.context;
      for (const { at } of all.flat()) {
        if (isShared) losses.carried(at.file, `${at.commonPath} ${measure}`, `the dimension ${measure}`);
        else
          losses.dropped(
            at.file,
            at.path,
            `${measure}: not all tests have this limit, and a dimension is for all cases`,
          );
      }
      return isShared ? [{ measure, threshold: first }] : [];
    });
  }
}

function payloadOf({ placeholders }: Prompt, { vars }: PackTest): JsonObject {
  const payload: JsonObject = {};
  for (const path of placeholders) {
    const root = rootOf(path);
    const value = vars[root] ?? '';
    payload[root] = value;
    // Nunjucks inserts nothing for what is absent; in a pack it would be a problem.
    if (path !== root && valueAt(vars, path) === undefined) setPath(payload, path.split('.'));
  }
  return payload;
}

/** Sets an empty text at a path, in copies of the maps on the way. */
function setPath(object: JsonObject, [step = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) {
    object[step] = '';
    return;
  }
  const below = object[step];
  const copy: JsonObject =
    typeof below === 'object' && below !== null && !Array.isArray(below) ? { ...below } : {};
  object[step] = copy;
  setPath(copy, rest);
}

function criteriaText(criteria: readonly string[]): string {
  if (criteria.length === 0) return NO_CRITERION;
  return criteria.map((text, index) => `${index + 1}. ${text.trim()}`).join('\n');
}
