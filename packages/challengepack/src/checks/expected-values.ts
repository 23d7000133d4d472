import type { FieldPath } from '../decode/field-path.js';
import { fillConfig } from '../evaluation-spec/fill-config.js';
import type { Reference } from '../evaluation-spec/references.js';
import type { ExpectedProblem } from '../expected/expected.js';
import { expectedTextProblem } from '../expected/expected-forms.js';
import type { ExpectingType } from '../expected/expected-readers.js';
import { WorkBudget } from '../expected/math/work.js';
import { tryReading } from '../expected/try-expected.js';
import { nearestName } from '../text/nearest-name.js';
import { areCasesFaulty, CaseTexts, type CaseWithTexts, UNKNOWN_TEXT } from './case-texts.js';
import { type Comparison, comparisonsOf, referenceToCase, type Trial } from './comparisons.js';
import { type CaseCheck, eachEntry, type PackCheck } from './pack-check.js';

const CASES_NAMED_MAX = 5;
const TEXT_SHOWN_MAX = 60;

/** Every case has what each validator compares with and each judge reads, in a form that the validator reads. */
export function checkExpectedValues(check: PackCheck): CaseCheck {
  const texts = new CaseTexts(check);
  const trials = new ExpectationTrials();
  let comparisons: ComparisonCheck[] | undefined;
  let conditions: ConditionsCheck | undefined;
  return {
    add(cases) {
      // The settings of validators have been checked by now.
      comparisons ??= comparisonsOf(check).map((comparison) => new ComparisonCheck(check, comparison));
      conditions ??= new ConditionsCheck(check);
      if (areCasesFaulty(check)) return;
      const batch = texts.of(cases);
      conditions.add(batch);
      for (const comparison of comparisons) comparison.add(batch, trials);
    },
    end() {
      if (areCasesFaulty(check)) return;
      for (const comparison of comparisons ?? []) comparison.report(texts);
      conditions?.report();
    },
  };
}

interface Condition {
  key: string;
  when: string | undefined;
  at: FieldPath;
  /** Undefined: the validator judges every case. */
  reference: Reference | undefined;
  holds: boolean;
}

interface JudgedDimension {
  at: FieldPath;
  /** Of its validators; `all` where one of them judges every case. */
  conditions: readonly Condition[] | 'all';
  /** The first cases that none of them judges. */
  ungraded: string[];
  ungradedCount: number;
}

/** Each condition holds for some case, and each case has a validator in each dimension that reads validators. */
class ConditionsCheck {
  readonly #conditions: Condition[];
  readonly #dimensions: JudgedDimension[];
  #hasCases = false;

  constructor(private readonly check: PackCheck) {
    const { validators, scorecard } = check.pack.version?.evaluation_spec ?? {};
    const at = check.paths.evaluationSpec.field('validators');
    this.#conditions = [...eachEntry(validators, at)].map(([{ key = '', when }, location]) => {
      const whenAt = location.field('when');
      return { key, when, at: whenAt, reference: referenceToCase(check, when, whenAt), holds: false };
    });
    const dimensionsAt = check.paths.evaluationSpec.field('scorecard').field('dimensions');
    this.#dimensions = [...eachEntry(scorecard?.dimensions, dimensionsAt)].flatMap(([dimension, location]) =>
      dimension.source === 'validators' ? [this.#dimensionOf(dimension.validators, location)] : [],
    );
  }

  add(cases: readonly CaseWithTexts[]): void {
    if (this.#conditions.every(({ when }) => when === undefined)) return;
    this.#hasCases ||= cases.length > 0;
    for (const each of cases) {
      const holding = this.#conditions.filter(
        ({ reference }) => reference === undefined || each.textOf(reference) !== undefined,
      );
      for (const condition of holding) condition.holds = true;
      for (const dimension of this.#dimensions) {
        const { conditions, ungraded } = dimension;
        if (conditions === 'all' || conditions.some((condition) => holding.includes(condition))) continue;
        dimension.ungradedCount += 1;
        if (ungraded.length < CASES_NAMED_MAX) ungraded.push(each.name);
      }
    }
  }

  report(): void {
    if (!this.#hasCases) return;
    for (const { when, at, holds } of this.#conditions) {
      if (holds) continue;
      const message = `no case has ${when}: this validator judges nothing`;
      this.check.report('missing_expectation', at, { message });
    }
    for (const { at, ungraded, ungradedCount } of this.#dimensions) {
      if (ungradedCount === 0) continue;
      const more = ungradedCount > ungraded.length ? ` and ${ungradedCount - ungraded.length} more` : '';
      const message = `none of its validators judges ${ungraded.join(', ')}${more}: it would have no score there`;
      this.check.report('missing_expectation', at, { message });
    }
  }

  #dimensionOf(named: readonly (string | undefined)[] | undefined, at: FieldPath): JudgedDimension {
    const keys = named?.length ? named : this.#conditions.map(({ key }) => key);
    const conditions = keys.map((key) =>
      this.#conditions.findLast((condition) => condition.key === (key ?? '')),
    );
    const judgesAll = conditions.some((condition) => condition?.reference === undefined);
    return {
      at,
      conditions: judgesAll ? 'all' : conditions.flatMap((condition) => condition ?? []),
      ungraded: [],
      ungradedCount: 0,
    };
  }
}

interface Found {
  each: CaseWithTexts;
  text: string;
  problem: ExpectedProblem;
}

/** One validator against every case. */
class ComparisonCheck {
  readonly #missing: CaseWithTexts[] = [];
  readonly #invalid: Found[] = [];
  #missingCount = 0;
  #invalidCount = 0;
  #untried = 0;
  #cases = 0;

  constructor(
    private readonly check: PackCheck,
    private readonly comparison: Comparison,
  ) {}

  add(cases: readonly CaseWithTexts[], trials: ExpectationTrials): void {
    const { condition } = this.comparison;
    for (const each of cases) {
      if (condition !== undefined && each.textOf(condition) === undefined) continue;
      this.#cases += 1;
      if (!trials.affordsLookup()) this.#untried += 1;
      else this.#tryCase(each, trials);
    }
  }

  #tryCase(each: CaseWithTexts, trials: ExpectationTrials): void {
    const text = each.textOf(this.comparison.reference);
    if (text === undefined) {
      this.#missingCount += 1;
      if (this.#missing.length < CASES_NAMED_MAX) this.#missing.push(each);
      return;
    }
    const { trial } = this.comparison;
    if (text === UNKNOWN_TEXT || trial === undefined) return;
    const problem = trials.problemOf(trial, text);
    if (problem === undefined) this.#untried += 1;
    if (!problem) return;
    this.#invalidCount += 1;
    if (this.#invalid.length < CASES_NAMED_MAX) this.#invalid.push({ each, text, problem });
  }

  report(texts: CaseTexts): void {
    const { check, comparison } = this;
    const { type, written, reference, at } = comparison;
    if (this.#missingCount > 0) {
      const named = this.#missing.map((each) => this.#placed(each, each.at));
      const isEverywhere = this.#missingCount === this.#cases;
      const suggestion = isEverywhere ? nearestReference(reference, texts) : undefined;
      const message = isEverywhere
        ? `no case has ${written}: ${this.#list(named, this.#missingCount)}`
        : `${countOf(this.#missingCount, this.#cases)} no ${written}: ${this.#list(named, this.#missingCount)}`;
      check.report('missing_expectation', at, { message, ...(suggestion && { suggestion }) });
    }
    if (type !== undefined && this.#invalidCount > 0) {
      const [first] = this.#invalid;
      const named = this.#invalid.map(({ each, text }) => {
        const location = each.locationOf(reference) ?? each.at;
        return `${this.#placed(each, location)} has ${shown(text)}`;
      });
      const form = first ? expectedTextProblem(type, first.problem, first.text) : '';
      const message = `${type} cannot read ${written}: ${form}; ${this.#list(named, this.#invalidCount)}`;
      check.report('invalid_expectation', at, { message });
    }
    if (this.#untried > 0) {
      const message = `${this.#untried} of ${this.#cases} cases were not checked: reading all expected values takes too long`;
      check.report('expectations_not_checked', at, { message });
    }
  }

  #placed(each: CaseWithTexts, location: FieldPath): string {
    return `${each.name} (${this.check.problems.positionText(location)})`;
  }

  #list(named: string[], count: number): string {
    const more = count - named.length;
    return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  }
}

function countOf(some: number, all: number): string {
  return some === 1 ? `1 of ${all} cases has` : `${some} of ${all} cases have`;
}

/** The reference with the nearest key that some case has. */
function nearestReference(reference: Reference, texts: CaseTexts): string | undefined {
  const list = reference.kind === 'case_expectation' ? 'expectations' : 'inputs';
  if (reference.kind !== 'case_expectation' && reference.kind !== 'case_input') return undefined;
  const nearest = nearestName(reference.key, texts.keys[list]);
  if (nearest === undefined || nearest === reference.key) return undefined;
  return ['case', list, nearest, ...reference.path].join('.');
}

function shown(text: string): string {
  const short = text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX)}…` : text;
  return JSON.stringify(short);
}

/** The approximate time of a reading, in microseconds: once, and for each UTF-16 unit. Measured, and rounded up. */
const COSTS: { readonly [T in ExpectingType]?: readonly [once: number, unit: number] } = {
  json_schema: [600, 5],
  regex_match: [250, 2],
  file_content_match: [250, 2],
  math_equivalence: [150, 2],
  csv_match: [20, 0.2],
};
const COST_DEFAULT = [5, 0.05] as const;

/** Of one document, in the same unit: about two seconds. */
const BUDGET = 2_500_000;
/** UTF-16 units of the texts whose reading is remembered. */
const KNOWN_UNITS_MAX = 4_194_304;
/** Looking up one expected text of one case. */
const LOOKUP_COST = 1;

/**
 * Reads expected texts as scoring would, the same text of a validator once, until all of them together cost too much.
 * The texts that are tried do not depend on the speed of the machine.
 */
class ExpectationTrials {
  #left = BUDGET;
  readonly #mathWork = new WorkBudget();
  readonly #known = new Map<object, Map<string, ExpectedProblem | null>>();
  #knownUnits = 0;

  /** Takes the cost of one lookup; false when nothing is left. */
  affordsLookup(): boolean {
    this.#left -= LOOKUP_COST;
    return this.#left >= 0;
  }

  /** The problem of the text, null when there is none; undefined when it could not be tried. */
  problemOf(validator: Trial, text: string): ExpectedProblem | null | undefined {
    const known = this.#known.get(validator) ?? new Map<string, ExpectedProblem | null>();
    this.#known.set(validator, known);
    const tried = known.get(text);
    if (tried !== undefined) return tried;
    const [once, unit] = COSTS[validator.type] ?? COST_DEFAULT;
    this.#left -= once + unit * text.length;
    if (this.#left < 0) return undefined;
    const problem = this.#read(validator, text);
    this.#knownUnits += text.length;
    if (problem !== undefined && this.#knownUnits <= KNOWN_UNITS_MAX) known.set(text, problem);
    return problem;
  }

  #read({ type, config }: Trial, text: string): ExpectedProblem | null | undefined {
    const reading = tryReading(type, fillConfig(type, config), { text, allowance: this.#mathWork });
    if (reading.ok) return null;
    return this.#mathWork.isSpent ? undefined : reading.problem;
  }
}
