import { WORKSPACE_FILES } from '../cases/workspace.js';
import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { ExpectingType } from '../expected/expected-readers.js';
import { isJsonObject } from '../json.js';
import type { Case } from '../pack/model.js';
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
  return {
    add(cases) {
      // The settings of validators have been checked by now.
      expectations ??= comparisonsOf(check)
        .filter(({ type }) => WHOLE_OUTPUTS.has(type))
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
    },
  };
}

/** One validator's expected texts over all cases. */
class ExpectationCheck {
  #cases = 0;
  /** The fields of the agent's view that equal the expected text in every case; undefined before the first. */
  #equalFields: Set<string> | undefined;
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
      this.#equalFields = new Set();
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
    if (this.#equalFields?.size === 0) return;
    const equal = new Set<string>();
    for (const [field, value] of visibleFields(each)) {
      if (value.trim() === expected && expected !== '') equal.add(field);
    }
    const known = this.#equalFields;
    this.#equalFields = known ? new Set([...known].filter((field) => equal.has(field))) : equal;
  }

  #reportFields(): boolean {
    const [field] = this.#equalFields ?? [];
    if (field === undefined || this.#cases === 0) return false;
    const { written, at } = this.comparison;
    const isItself = written === field;
    const isByChance = this.#cases === 1 && !isItself && (this.#only ?? '').length < ONLY_TEXT_MIN;
    if (isByChance) return false;
    const message = isItself
      ? `agents see ${field}: put what is expected into expectations`
      : `agents see it as ${field}${this.#cases > 1 ? ` in all ${this.#cases} cases` : ''}: leave that out`;
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

/** The texts of the agent's view: members of the payload, and inputs. */
function* visibleFields(each: Draft<Case>): Generator<[field: string, text: string]> {
  let left = FIELDS_MAX;
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
