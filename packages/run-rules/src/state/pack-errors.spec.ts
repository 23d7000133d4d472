import type { PackError } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changedPackErrors, failureOf, isUngradable, SAME_PACK_ERRORS_MAX } from './pack-errors.js';

const error = (validator: string, value = 'billing'): PackError => ({
  ...{ validator, type: 'json_path_match', reason: 'invalid_expected', value },
  expected_from: 'case.expectations.queue',
  message: `validator ${validator} cannot read ${value}`,
});
const added = (after: PackError, case_key = 'c') => ({ case_key, before: null, after });

describe('the pack errors of a run', () => {
  test('pack errors are counted by validator, whatever the value, and keep their first case', () => {
    const errors = changedPackErrors([], [added(error('a', 'x'), 'one'), added(error('a', 'y'), 'two')]);
    expect(errors).toEqual([{ ...error('a', 'x'), case_key: 'one', attempts: 2 }]);
    const more = [added(error('b')), added(error('b')), added(error('b'))];
    expect(changedPackErrors(errors, more).map(({ validator, attempts }) => [validator, attempts])).toEqual([
      ['b', 3],
      ['a', 2],
    ]);
  });

  test('pack errors are those of the attempts at the end, in whatever steps they were scored and rescored', () => {
    const state = fc.constantFrom(null, error('a'), error('b'));
    fc.assert(
      fc.property(
        fc.array(fc.array(state, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
        (attempts) => {
          let errors = changedPackErrors([], []);
          for (const states of attempts) {
            states.forEach((after, index) => {
              const before = states[index - 1] ?? null;
              errors = changedPackErrors(errors, [{ case_key: 'c', before, after }]);
            });
          }
          for (const key of ['a', 'b']) {
            const last = attempts.filter((states) => states.at(-1)?.validator === key).length;
            expect(errors.find(({ validator }) => validator === key)?.attempts ?? 0).toBe(last);
          }
        },
      ),
    );
  });

  test('pack errors end a run when enough are the same and nothing was graded', () => {
    const errors = (attempts: number) => [{ ...error('a'), case_key: 'c', attempts }];
    expect(isUngradable(errors(SAME_PACK_ERRORS_MAX - 1), 0)).toBe(false);
    expect(isUngradable(errors(SAME_PACK_ERRORS_MAX), 0)).toBe(true);
    expect(isUngradable(errors(SAME_PACK_ERRORS_MAX), 1)).toBe(false);
    const different = ['a', 'b', 'c'].map((key) => ({ ...error(key), case_key: 'c', attempts: 9 }));
    expect(isUngradable(different, 0)).toBe(false);
  });

  test('pack errors are the reason why a run failed, where it has any', () => {
    const errors = changedPackErrors([], [added(error('a'))]);
    expect(failureOf('failed', errors)).toEqual({
      code: 'pack_errors',
      message: 'No attempt could be graded: validator a cannot read billing.',
    });
    expect(failureOf('failed', [])).toMatchObject({ code: 'nothing_graded' });
    expect(failureOf('completed', errors)).toBeUndefined();
  });
});
