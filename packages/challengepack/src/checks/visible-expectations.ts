import { WORKSPACE_FILES } from '../cases/workspace.js';
import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { ValidatorDraft } from '../evaluation-spec/authored.js';
import { parseReference } from '../evaluation-spec/references.js';
import type { ExpectingType } from '../expected/expected-readers.js';
import { isJsonObject } from '../json.js';
import type { Case } from '../pack/model.js';
import { writtenFiles } from '../publish/staged-files.js';
import { valueText } from '../values/value-text.js';
import { areCasesFaulty, CaseTexts, type CaseWithTexts, UNKNOWN_TEXT } from './case-texts.js';
import { type Comparison, comparisonsOf } from './comparisons.js';
import { type CaseCheck, eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

/** The types whose expected text is a whole output: others name a part of it or its form. */
const WHOLE_OUTPUTS: ReadonlySet<ExpectingType | undefined> = new Set<ExpectingType>([
  ...(['exact_match', 'normalized_match', 'boolean_assert', 'numeric_match', 'math_equivalence'] as const),
  ...(['list_match', 'fuzzy_match', 'token_f1', 'bleu_score', 'rouge_score', 'chrf_score'] as const),
]);

/** With fewer cases the same text is no pattern. */
const SAME_CASES_MIN = 3;
/** A field that equals what is expected so often does not by chance. */
const EQUAL_SHARE_MIN = 0.9;
/** In UTF-16 units; a shorter text is equal to something else by chance. */
const ONLY_TEXT_MIN = 8;
const TEXT_MIN = 4;
/** Fields of one case that are compared, and different texts that are searched for in instructions. */
const FIELDS_MAX = 200;
const TEXTS_MAX = 1_000;
const TEXT_SHOWN_MAX = 40;

/** Agents do not see what is expected of them, and it is not the same in all cases. */
export function checkVisibleExpectations(check: PackCheck): CaseCheck {
  const texts = new CaseTexts(check);
  let expectations: ExpectationCheck[] | undefined;
  const files = new ExpectedFiles(check);
  let count = 0;
  return {
    add(cases) {
      count += cases.length;
      // The settings of validators have been checked by now.
      expectations ??= comparisonsOf(check)
        .filter(({ type, isInverse }) => WHOLE_OUTPUTS.has(type) && isInverse !== true)
        .map((comparison) => new ExpectationCheck(check, comparison));
      const withTexts = texts.of(cases);
      for (const [index, placed] of cases.entries()) {
        files.add(placed);
        const each = withTexts[index];
        if (each) for (const expectation of expectations) expectation.add(placed.case, each);
      }
    },
    end() {
      if (areCasesFaulty(check)) return;
      for (const expectation of expectations ?? []) expectation.report();
      files.report();
      checkLiterals(check, count);
    },
  };
}

/** Where nothing but literals decide, the same output passes every case. */
function checkLiterals(check: PackCheck, cases: number): void {
  const { validators, llm_judges } = check.pack.version?.evaluation_spec ?? {};
  const at = check.paths.evaluationSpec.field('validators');
  const placed = [...eachEntry(validators, at)];
  const [first] = placed;
  if (first === undefined || cases < SAME_CASES_MIN || llm_judges?.length) return;
  const literals = placed.map(([validator]) => literalOf(validator));
  const [literal] = literals;
  if (literal === undefined || !literals.every((each) => each === literal)) return;
  const message = `all ${cases} cases expect ${shown(literal)}: an agent that always gives it passes them`;
  check.report('same_expectation', first[1].field('expected_from'), { message });
}

/** The final output that a validator expects of every case. */
function literalOf({ type, target, expected_from: from, expect, when }: ValidatorDraft): string | undefined {
  const isWhole = WHOLE_OUTPUTS.has(type as ExpectingType) && expect !== false && when === undefined;
  if (!isWhole || !isFinalOutput(target)) return undefined;
  const reference = parseReference(from ?? '');
  return reference?.kind === 'literal' ? reference.text : undefined;
}

function isFinalOutput(target: string | undefined): boolean {
  return parseReference(target ?? '')?.kind === 'final_output';
}

/** One validator's expected texts over all cases. */
class ExpectationCheck {
  #cases = 0;
  /** By field of the agent's view: the cases in which it equals the expected text. */
  readonly #equalFields = new Map<string, number>();
  /** Some case gives back what it gets, or expects what is not known. */
  #isUnclear = false;
  /** The only expected text; null when there are several. */
  #only: string | null | undefined;
  readonly #byChallenge = new Map<string, Set<string>>();

  constructor(
    private readonly check: PackCheck,
    private readonly comparison: Comparison,
  ) {}

  add(each: Draft<Case>, { textOf }: CaseWithTexts): void {
    const { condition, reference } = this.comparison;
    if (condition !== undefined && textOf(condition) === undefined) return;
    const text = textOf(reference);
    if (text === undefined || text === UNKNOWN_TEXT || this.#isInputByChoice(each)) {
      this.#only = null;
      this.#isUnclear = true;
      return;
    }
    this.#cases += 1;
    if (this.#only === undefined) this.#only = text;
    else if (this.#only !== text) this.#only = null;
    this.#compareFields(each, text);
    const texts = this.#byChallenge.get(each.challenge_key ?? '') ?? new Set<string>();
    this.#byChallenge.set(each.challenge_key ?? '', texts);
    if (texts.size < TEXTS_MAX) texts.add(text);
  }

  report(): void {
    const isShown = this.#reportFields();
    if (isShown) return;
    const isSame = this.#cases >= SAME_CASES_MIN && typeof this.#only === 'string';
    if (isSame) {
      const message = `all ${this.#cases} cases expect ${shown(this.#only ?? '')}: an agent that always gives it passes them`;
      this.check.report('same_expectation', this.comparison.at, { message });
    }
    for (const [challenge, at] of eachEntry(this.check.pack.challenges, this.check.paths.challenges)) {
      const text = challenge.definition?.instructions;
      const texts = this.#byChallenge.get(challenge.key ?? '');
      if (typeof text === 'string' && texts) this.#searchInstructions(text, texts, at);
    }
  }

  /** `source: input:KEY` states that the agent is to give back what it got. */
  #isInputByChoice(each: Draft<Case>): boolean {
    const { reference } = this.comparison;
    if (reference.kind !== 'case_expectation') return false;
    const found = each.expectations?.find((expectation) => expectation?.key === reference.key);
    return found?.value === undefined && found?.source !== undefined;
  }

  #compareFields(each: Draft<Case>, text: string): void {
    const expected = text.trim();
    if (this.#isUnclear || expected === '') return;
    const { reference, target } = this.comparison;
    const seesFiles = reference.kind === 'case_expectation' && isFinalOutput(target);
    const equal = new Set<string>();
    for (const [field, value] of visibleFields(each, seesFiles))
      if (value.trim() === expected) equal.add(field);
    for (const field of equal) {
      const count = this.#equalFields.get(field) ?? 0;
      if (count > 0 || this.#equalFields.size < FIELDS_MAX) this.#equalFields.set(field, count + 1);
    }
  }

  #reportFields(): boolean {
    const [found] = [...this.#equalFields].sort(([, left], [, right]) => right - left);
    if (found === undefined || this.#isUnclear || found[1] < EQUAL_SHARE_MIN * this.#cases) return false;
    const [field, count] = found;
    const { written, at } = this.comparison;
    const isItself = written === field;
    const isByChance = this.#cases === 1 && !isItself && (this.#only ?? '').length < ONLY_TEXT_MIN;
    if (isByChance) return false;
    const cases = count === this.#cases ? `all ${count} cases` : `${count} of ${this.#cases} cases`;
    const message = isItself
      ? `agents see ${field}: put what is expected into expectations`
      : `agents see it as ${field}${this.#cases > 1 ? ` in ${cases}` : ''}: leave that out`;
    this.check.report('visible_expectation', at, { message });
    return true;
  }

  /** A list of all possible outputs is part of many tasks; a part of them is an example that was left in. */
  #searchInstructions(instructions: string, expected: ReadonlySet<string>, at: FieldPath): void {
    const searched = [...expected].filter(
      (text) => text.trim().length >= (expected.size === 1 ? ONLY_TEXT_MIN : TEXT_MIN),
    );
    const found = searched.filter((text) => hasWords(instructions, text.trim()));
    const isList = found.length === expected.size && expected.size > 1;
    const [first] = found;
    if (first === undefined || isList) return;
    const more = found.length > 1 ? ` and ${found.length - 1} more` : '';
    const message = `they contain ${shown(first)}${more}, which ${this.comparison.written} expects of a case`;
    const inDefinition = at.field('definition').key('instructions');
    const location = this.check.isWritten(inDefinition) ? inDefinition : at.field('instructions');
    this.check.report('visible_expectation', location, { message });
  }
}

/** The texts of the agent's view: members of the payload, inputs, and with `seesFiles` files of the workspace. */
function* visibleFields(each: Draft<Case>, seesFiles: boolean): Generator<[field: string, text: string]> {
  let left = FIELDS_MAX;
  if (seesFiles) {
    for (const { path, content } of writtenFiles(each.payload?.[WORKSPACE_FILES])) {
      if (left-- > 0) yield [`the file ${path}`, content];
    }
  }
  for (const [key, value] of Object.entries(each.payload ?? {})) {
    if (key === WORKSPACE_FILES || left-- <= 0) continue;
    yield [`case.payload.${key}`, valueText(value)];
    if (!isJsonObject(value)) continue;
    for (const [inner, below] of Object.entries(value)) {
      if (left-- > 0) yield [`case.payload.${key}.${inner}`, valueText(below)];
    }
  }
  for (const input of each.inputs ?? []) {
    if (input?.key === undefined || input.value === undefined || left-- <= 0) continue;
    yield [`case.inputs.${input.key}`, valueText(input.value)];
  }
}

/** True where the text is there between other words, not inside one. */
function hasWords(whole: string, text: string): boolean {
  const isWordPart = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = whole.indexOf(text); at !== -1; at = whole.indexOf(text, at + 1)) {
    if (!isWordPart(whole[at - 1]) && !isWordPart(whole[at + text.length])) return true;
  }
  return false;
}

/** Assets that a case expects and that its agent gets as well. */
class ExpectedFiles {
  readonly #ofChallenges = new Map<string, ReadonlySet<string>>();
  #first: { at: FieldPath; key: string } | undefined;
  #count = 0;

  constructor(private readonly check: PackCheck) {
    for (const challenge of check.pack.challenges ?? []) {
      const keys = (challenge?.artifact_refs ?? []).flatMap((reference) => reference?.key ?? []);
      if (challenge?.key !== undefined) this.#ofChallenges.set(challenge.key, new Set(keys));
    }
  }

  add({ case: each, at }: PlacedCase): void {
    if (!each.expectations?.some((expectation) => expectation?.artifact_key !== undefined)) return;
    const given = new Set(this.#ofChallenges.get(each.challenge_key ?? ''));
    for (const { key } of each.artifacts?.filter((reference) => reference !== undefined) ?? []) {
      if (key !== undefined) given.add(key);
    }
    for (const input of each.inputs ?? []) if (input?.artifact_key) given.add(input.artifact_key);
    for (const [{ artifact_key: key }, location] of eachEntry(each.expectations, at.field('expectations'))) {
      if (key === undefined || !given.has(key)) continue;
      this.#count += 1;
      this.#first ??= { at: location.field('artifact_key'), key };
    }
  }

  report(): void {
    if (!this.#first) return;
    const { at, key } = this.#first;
    const more = this.#count > 1 ? ` (and ${this.#count - 1} more of this kind)` : '';
    const message = `the agent gets the asset "${key}" as a file of its workspace, too${more}`;
    this.check.report('visible_expectation', at, { message });
  }
}

function shown(text: string): string {
  return JSON.stringify(text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX)}…` : text);
}
