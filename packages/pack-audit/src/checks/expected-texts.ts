import { foldCase, isJsonObject, type JsonValue, valueText } from '@agentclash/challengepack';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import type { Finding } from '../report/report.js';
import { casesText, ofCases } from './context.js';

/** With fewer cases a frequent text is no pattern. */
const ALIKE_CASES_MIN = 10;
const ALIKE_SHARE_MIN = 0.9;
/** A text that is expected of more cases is a label (`positive`), which texts may well contain. */
const DISTINCTIVE_SHARE_MAX = 0.1;
/** A shorter text (`yes`, `B`, `4`) is in a text by chance. */
const LETTERS_MIN = 5;
const DIGITS_MIN = 4;
const SHOWN_MAX = 40;

const EXPECTATION = /^case\.expectations\.(.+)$/;
/** Validators that compare with a text of the case as a whole. */
const COMPARING: ReadonlySet<string> = new Set([
  ...['exact_match', 'normalized_match', 'boolean_assert', 'numeric_match', 'math_equivalence', 'list_match'],
  ...['fuzzy_match', 'token_f1'],
]);

type Validator = AuditedPack['spec']['validators'][number];

interface ExpectedText {
  each: AuditedCase;
  text: string;
}

/** Texts of cases that their task contains, and nearly all of which are the same: often meant, so that each is a note. */
export function noteExpectedTexts({ spec, cases }: AuditedPack): Finding[] {
  return spec.validators.flatMap((validator) => {
    const expected = expectedTextsOf(validator, cases);
    return [...noteInTask(validator, expected), ...noteAlike(validator, expected)];
  });
}

function expectedTextsOf(validator: Validator, cases: readonly AuditedCase[]): ExpectedText[] {
  const { type, expect, expected_from: from } = validator;
  const key = EXPECTATION.exec(from ?? '')?.[1];
  if (key === undefined || !COMPARING.has(type) || expect === false) return [];
  return cases.flatMap((each) => {
    const value = each.case.expectations?.find((expectation) => expectation.key === key)?.value;
    const text = value === undefined ? '' : valueText(value).trim();
    return text === '' ? [] : [{ each, text }];
  });
}

function noteInTask({ key }: Validator, expected: readonly ExpectedText[]): Finding[] {
  const counts = countsOf(expected);
  const isRare = (text: string) =>
    (counts.get(text) ?? 0) <= Math.max(1, DISTINCTIVE_SHARE_MAX * expected.length);
  const shownIn = expected.flatMap(({ each, text }) => {
    const found =
      isRare(text) && isLong(text) ? [...textsOf(each)].find(([, seen]) => hasWithin(seen, text)) : undefined;
    return found ? [{ each, text, field: found[0] }] : [];
  });
  const [first] = shownIn;
  if (!first) return [];
  return [
    {
      ...{ check: 'static', code: 'expected_text_in_task', severity: 'note' },
      message: `Agents see what is expected of them in ${shownIn.length} of ${casesText(expected.length)}, such as ${shown(first.text)} in ${first.field}.`,
      fix: 'Remove it from that field of the cases, unless finding it in the text is the task.',
      validators: [key],
      ...ofCases(shownIn.map(({ each }) => each)),
    },
  ];
}

function noteAlike({ key }: Validator, expected: readonly ExpectedText[]): Finding[] {
  const [most] = [...countsOf(expected)].sort(([, left], [, right]) => right - left);
  if (!most || expected.length < ALIKE_CASES_MIN) return [];
  const [text, count] = most;
  // The same in all of them is a warning of the document.
  if (count === expected.length || count < ALIKE_SHARE_MIN * expected.length) return [];
  return [
    {
      ...{ check: 'static', code: 'expectations_alike', severity: 'note' },
      message: `${count} of ${expected.length} cases expect ${shown(text)}: an agent that always gives it passes them.`,
      fix: 'Add cases with other expectations, or let a score weigh each expectation alike.',
      validators: [key],
    },
  ];
}

function countsOf(expected: readonly ExpectedText[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of expected) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function isLong(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return count(/\p{L}/gu) >= LETTERS_MIN || count(/\p{N}/gu) >= DIGITS_MIN;
}

/** The texts of payload and inputs, by their fields. A text that is an item of a list is an option among others. */
function* textsOf({ case: { payload, inputs = [] } }: AuditedCase): Generator<[field: string, text: string]> {
  yield* textsWithin(payload, 'case.payload');
  for (const { key, value } of inputs)
    if (value !== undefined) yield* textsWithin(value, `case.inputs.${key}`);
}

function* textsWithin(value: JsonValue | undefined, field: string): Generator<[field: string, text: string]> {
  if (typeof value === 'string') yield [field, value];
  else if (Array.isArray(value)) {
    for (const item of value) if (typeof item !== 'string') yield* textsWithin(item, field);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) yield* textsWithin(member, `${field}.${key}`);
  }
}

const WORD_PART = /[\p{L}\p{N}_]/u;

/** True where another text has it as words of its own, in any case: a person or an agent would find it there. */
function hasWithin(seen: string, text: string): boolean {
  const [within, sought] = [foldCase(seen), foldCase(text)];
  // The whole text is a warning of the document; in other case, writing it so may be the task.
  if (within.trim() === sought) return false;
  for (let at = within.indexOf(sought); at !== -1; at = within.indexOf(sought, at + 1)) {
    const around = [within[at - 1], within[at + sought.length]];
    if (around.every((character) => character === undefined || !WORD_PART.test(character))) return true;
  }
  return false;
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);
}
