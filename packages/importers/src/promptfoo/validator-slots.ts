import type { CodeLanguage } from './code-graders.js';
import type { Check } from './validators-of.js';

type NamedCheck = Check & { name: string };

interface Slot {
  key: string;
  check: NamedCheck;
  /** Expected text by case; of a validator without an expectation any text. */
  cases: Map<string, string>;
}

/** The validators of a pack, each used by the cases that have its expectation. */
export class ValidatorSlots {
  readonly #slots = new Map<string, Slot[]>();
  readonly #keys = new Set<string>();

  /** The n-th check of one form in a case uses the n-th validator of that form. */
  add(caseKey: string, checks: readonly NamedCheck[]): void {
    const used = new Map<string, number>();
    for (const check of checks) {
      const form = formOf(check);
      const index = used.get(form) ?? 0;
      used.set(form, index + 1);
      const slots = this.#slots.get(form) ?? [];
      this.#slots.set(form, slots);
      const slot = slots[index] ?? { key: this.#keyOf(check.name), check, cases: new Map() };
      slots[index] = slot;
      slot.cases.set(caseKey, check.expected ?? 'applies');
    }
  }

  validators(caseCount: number): Record<string, unknown>[] {
    return this.#all().map(({ key, check: { type, config, expect, expected }, cases }) => {
      const reference = `case.expectations.${key}`;
      return {
        key,
        type,
        target: type === 'script' ? 'evidence' : 'final_output',
        ...(expected !== null && type !== 'script' && { expected_from: reference }),
        ...(cases.size < caseCount && { when: reference }),
        ...(expect !== undefined && { expect }),
        ...(config !== undefined && { config }),
      };
    });
  }

  /** The languages of all scripts. */
  languages(): Set<CodeLanguage> {
    return new Set(this.#all().flatMap(({ check }) => check.language ?? []));
  }

  /** The expectations of a case: those of validators that compare, and those that show that one applies. */
  expectationsOf(caseKey: string, caseCount: number): Record<string, unknown>[] {
    return this.#all().flatMap(({ key, check, cases }) => {
      const value = cases.get(caseKey);
      const isNeeded = check.expected !== null || cases.size < caseCount;
      return value === undefined || !isNeeded ? [] : [{ key, kind: 'text', value }];
    });
  }

  /** Where a case has the output that it expects as a whole; undefined where no assertion has one. */
  outputOf(caseKey: string): string | undefined {
    const found = this.#all().find(
      ({ check: { type, expect, config }, cases }) =>
        type === 'exact_match' && expect === undefined && config === undefined && cases.has(caseKey),
    );
    return found && `case.expectations.${found.key}`;
  }

  #all(): Slot[] {
    return [...this.#slots.values()].flat();
  }

  #keyOf(name: string): string {
    let key = name;
    for (let count = 2; this.#keys.has(key); count += 1) key = `${name}-${count}`;
    this.#keys.add(key);
    return key;
  }
}

/** Checks of one form differ in nothing but the expected text. */
function formOf({ name, type, config, expect, expected }: NamedCheck): string {
  return JSON.stringify([name, type, config ?? null, expect ?? null, expected === null]);
}
