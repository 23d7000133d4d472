import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { Case, InputSet } from '../pack/model.js';
import { areCasesFaulty } from './case-texts.js';
import type { CaseCheck, PackCheck, PlacedCase } from './pack-check.js';

/** Cases of one set that are compared; each takes some 150 bytes. */
const COMPARED_MAX = 200_000;
/** Of a hash in hexadecimal digits: 64 bits, of which no two cases of a set are equal by chance. */
const DIGITS = 16;

/** The cases of a set that repeat an earlier one: the first is reported, the others are counted. */
interface Repetition {
  at: FieldPath;
  /** The key of the case that it repeats. */
  earlier: string;
  count: number;
}

interface ComparedSet {
  /** By the hash of what the agent is given: hashes of the expected keys and of what is expected, and the case's key. */
  seen: Map<string, string>;
  repeated?: Repetition;
  contradicting?: Repetition;
}

/**
 * Cases of a set that give the agent the same: where they also expect the same, one case counts twice; where they do not,
 * no agent passes both.
 */
export function checkRepeatedCases(check: PackCheck): CaseCheck {
  const sets = new Map<Draft<InputSet>, ComparedSet>();
  return {
    add(cases) {
      for (const placed of cases) {
        const compared = sets.get(placed.set) ?? { seen: new Map() };
        sets.set(placed.set, compared);
        if (!isUnclear(check, placed)) compare(compared, placed);
      }
    },
    end() {
      if (areCasesFaulty(check)) return;
      for (const { repeated, contradicting } of sets.values()) {
        if (repeated) {
          const message = `${givesTheSame(repeated)} and expects the same${others(repeated)}: leave it out, or repeat the whole run (--repetitions)`;
          check.report('repeated_case', repeated.at, { message });
        }
        if (contradicting) {
          const message = `${givesTheSame(contradicting)} and expects something else${others(contradicting)}: an agent that acts alike on both cannot pass both`;
          check.report('contradicting_cases', contradicting.at, { message });
        }
      }
    },
  };
}

function compare(compared: ComparedSet, { case: each, at }: PlacedCase): void {
  const given = hashOf(givenIn(each));
  const keys = hashOf((each.expectations ?? []).map((expectation) => expectation?.key));
  const expected = hashOf([each.expectations ?? [], each.grader_files ?? []]);
  const known = compared.seen.get(given);
  if (known === undefined) {
    if (compared.seen.size < COMPARED_MAX)
      compared.seen.set(given, `${keys}${expected}${each.case_key ?? '?'}`);
    return;
  }
  // Cases that expect different things of the same agent do not contradict each other.
  if (!known.startsWith(keys)) return;
  const kind = known.startsWith(expected, DIGITS) ? 'repeated' : 'contradicting';
  const found = compared[kind];
  if (found) found.count += 1;
  else compared[kind] = { at, earlier: known.slice(2 * DIGITS), count: 1 };
}

/** All that may reach the agent of a case, or change what it meets. */
function givenIn({
  challenge_key,
  payload,
  inputs,
  user_simulator,
  artifacts,
  assets,
  sandbox,
}: Draft<Case>) {
  return [
    ...[challenge_key, payload ?? {}, inputs ?? [], user_simulator ?? null],
    ...[artifacts ?? [], assets ?? [], sandbox ?? null],
  ];
}

/** Keys in their authored order: cases that differ in it alone are not found, which costs a warning. */
function hashOf(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(value)))).slice(0, DIGITS);
}

/** True where a part could not be read, so that the cases may differ in it. */
function isUnclear(check: PackCheck, { case: each, at }: PlacedCase): boolean {
  const unreadable = ['challenge_key', 'payload', 'user_simulator', 'sandbox'].some((field) =>
    check.isUndecodable(at.field(field)),
  );
  const lists = ['inputs', 'expectations', 'artifacts', 'assets', 'grader_files'] as const;
  return unreadable || lists.some((field) => check.hasHoles(each[field], at.field(field)));
}

function givesTheSame({ earlier }: Repetition): string {
  return `gives the agent the same as "${earlier}"`;
}

function others({ count }: Repetition): string {
  if (count === 1) return '';
  return count === 2 ? ', as one more case of this set does' : `, as ${count - 1} more cases of this set do`;
}
